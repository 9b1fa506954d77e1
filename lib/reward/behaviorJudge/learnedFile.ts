import "server-only";
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { z } from "zod";
import { home } from "@/db/home";
import { UnknownRole } from "@/lib/profile/roles/unknown";

/** How a judge did on windows of environments it was not trained in; null: not defined. */
const quality = z.object({
  windows: z.number(),
  truePositives: z.number(),
  falsePositives: z.number(),
  falseNegatives: z.number(),
  precision: z.number().nullable(),
  recall: z.number().nullable(),
  auc: z.number().nullable(),
});
export type LearnedQuality = z.infer<typeof quality>;

const content = z.object({
  format: z.literal("misstep-judge"),
  /** Of the features: weights of other ones mean nothing to these. */
  version: z.literal(2),
  name: z.string(),
  /** Steps of the windows it was trained on. */
  window: z.number(),
  trainedOn: z.object({
    measurement: z.number(),
    measurementName: z.string(),
    /** people, or the name and version of a judge. */
    from: z.string(),
    /** Names of the environments of its windows; judges of older versions do not say. */
    environments: z.array(z.string()).optional(),
  }),
  modes: z.array(
    z.object({
      /** The misbehavior's name: what it is asked for by. */
      misbehavior: z.string(),
      yes: z.number(),
      no: z.number(),
      environments: z.number(),
      quality,
      bias: z.number(),
      weights: z.array(z.tuple([z.number(), z.number()])),
    }),
  ),
  /** Misbehaviors that it cannot judge, and why. */
  refused: z.array(z.object({ misbehavior: z.string(), reason: z.string() })),
});
export type LearnedContent = z.infer<typeof content>;
export type LearnedJudgeFile = LearnedContent & { hash: string };

const NAME = /^[a-z0-9][a-z0-9-]{0,47}$/;
const folder = () => path.join(/*turbopackIgnore: true*/ home().root, "judges");
const fileOf = (name: string) => path.join(/*turbopackIgnore: true*/ folder(), `${name}.json`);
const hashOf = (value: LearnedContent) => createHash("sha256").update(JSON.stringify(value)).digest("hex");

/** The names of all learned judges of this home. */
export const learnedJudges = (): string[] =>
  fs.existsSync(folder())
    ? fs
        .readdirSync(folder())
        .filter((file) => file.endsWith(".json") && NAME.test(file.slice(0, -5)))
        .map((file) => file.slice(0, -5))
        .sort()
    : [];

/** Reads a learned judge. Throws UnknownRole when there is none of the name, or its file was changed. */
export function readLearnedJudge(name: string): LearnedJudgeFile {
  if (!NAME.test(name) || !fs.existsSync(fileOf(name)))
    throw new UnknownRole(
      `there is no learned judge "${name}"; there are: ${learnedJudges().join(", ") || "none"}. "misstep judge train" makes one`,
    );
  const broken = (why: string) => new UnknownRole(`${fileOf(name)} is no learned judge: ${why}; train it again`);
  let stored: unknown;
  try {
    stored = JSON.parse(fs.readFileSync(fileOf(name), "utf8"));
  } catch (error) {
    throw broken(error instanceof Error ? error.message : String(error));
  }
  const { version } = z.looseObject({ version: z.unknown() }).catch({ version: null }).parse(stored);
  if (version === 1) throw broken("it was made by an older version, whose features were others");
  const read = content.extend({ hash: z.string() }).safeParse(stored);
  if (!read.success) throw broken(`${read.error.issues[0]?.path.join(".")}: ${read.error.issues[0]?.message}`);
  const { hash, ...rest } = read.data;
  if (hashOf(rest) !== hash) throw broken("it was changed after it was made");
  return read.data;
}

/** A name that cannot be used. */
export class UnusableName extends Error {}

/** Throws UnusableName. Judges are never overwritten: verdicts name them. */
export function checkNewName(name: string): void {
  if (!NAME.test(name)) throw new UnusableName(`"${name}" is no name: small letters, digits and dashes, at most 48`);
  if (fs.existsSync(fileOf(name)))
    throw new UnusableName(`there is a learned judge "${name}" already; choose another name`);
}

/** Keeps a judge in the home folder. Throws UnusableName. */
export function writeLearnedJudge(given: LearnedContent): LearnedJudgeFile {
  checkNewName(given.name);
  const value = content.parse(given);
  const whole = { ...value, hash: hashOf(value) };
  fs.mkdirSync(folder(), { recursive: true, mode: 0o700 });
  const partial = `${fileOf(given.name)}.${process.pid}.partial`;
  fs.writeFileSync(partial, JSON.stringify(whole));
  fs.renameSync(partial, fileOf(given.name));
  return whole;
}
