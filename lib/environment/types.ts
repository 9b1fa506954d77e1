import { z } from "zod";
import { DRIVERS } from "@/lib/sandbox/types";

/** Layout a task directory has. */
export const ENVIRONMENT_KINDS = ["harbor", "terminal-bench", "tiny"] as const;
export type EnvironmentKind = (typeof ENVIRONMENT_KINDS)[number];

/** An environment (task) as its directory states it. Stored as JSON in `environment.spec`. null: the directory does not say. */
export const environmentSpec = z.object({
  kind: z.enum(ENVIRONMENT_KINDS),
  /** schema_version / version of task.toml, or null. */
  schemaVersion: z.string().nullable(),
  name: z.string(),
  instruction: z.string(),
  difficulty: z.string().nullable(),
  category: z.string().nullable(),
  tags: z.array(z.string()),
  agentTimeoutSec: z.number().nullable(),
  verifierTimeoutSec: z.number().nullable(),
  buildTimeoutSec: z.number().nullable(),
  cpus: z.number().nullable(),
  memoryMb: z.number().nullable(),
  storageMb: z.number().nullable(),
  allowInternet: z.boolean(),
  /** Image named instead of, or beside, a Dockerfile. */
  dockerImage: z.string().nullable(),
  /** Paths relative to the directory; null when it has none. */
  dockerfile: z.string().nullable(),
  tests: z.string().nullable(),
  solution: z.string().nullable(),
  env: z.record(z.string(), z.string()),
  verifierEnv: z.record(z.string(), z.string()),
  solutionEnv: z.record(z.string(), z.string()),
  /** Command that tells when the environment's services are up; null when it states none. */
  healthcheck: z.string().nullable(),
  /** User the agent is to be, when stated. */
  user: z.string().nullable(),
  /** Base images a person replaced by others: image in the Dockerfile → "base" or another image. Shown wherever results are. */
  substitutions: z.record(z.string(), z.string()),
  /** SHA-256 over names, executable bits and contents of all files. */
  digest: z.string(),
  /** Things in the directory that Misstep does not do (health checks, compose files, …). */
  warnings: z.array(z.string()),
});
export type EnvironmentSpec = z.infer<typeof environmentSpec>;

/** One test of a run, as far as the verifier reports them (ctrf.json or parsed output). */
export const testCase = z.object({
  name: z.string(),
  status: z.enum(["passed", "failed", "skipped", "other"]),
  message: z.string().nullable(),
});

/** What the hidden tests said. `void`: they could not be run; then there is no reward, not 0. */
export const testRun = z.object({
  status: z.enum(["done", "void"]),
  /** r_o; null when void. */
  reward: z.number().nullable(),
  rewards: z.record(z.string(), z.number()),
  tests: z.array(testCase),
  exitCode: z.number().nullable(),
  log: z.string(),
  durationMs: z.number(),
  voidReason: z.string().nullable(),
});
export type TestRun = z.infer<typeof testRun>;

/** A driver that can or cannot run an environment, known before anything starts. */
export const runnable = z.object({
  driver: z.enum(DRIVERS),
  ok: z.boolean(),
  /** Why not, or what is replaced by what. */
  reasons: z.array(z.string()),
});
export type Runnable = z.infer<typeof runnable>;
