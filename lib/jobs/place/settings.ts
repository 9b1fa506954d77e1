import "server-only";
import fs from "node:fs";
import path from "node:path";
import { z } from "zod";
import { home, projectRoot } from "@/db/home";
import { writeWhole } from "@/lib/model/chat/file";
import { quote } from "@/lib/sandbox/quote";

const oneLine = (what: string) => z.string().regex(/^[^\r\n\0]*$/, `${what} is one line`);
/** A value of an sbatch option: nothing that a shell or a second option could hide in. */
const option = z
  .string()
  .regex(/^[\w.,:+=@-]*$/, "letters, digits and . , : + = @ _ - only")
  .default("");

/** How jobs are handed to Slurm. Empty values are left to the cluster. */
export const slurmSettings = z.object({
  partition: option,
  account: option,
  /** As sbatch takes it: minutes, HH:MM:SS, D-HH:MM:SS. */
  time: option,
  cpusPerTask: z.number().int().min(1).max(1024).default(2),
  /** As sbatch takes it: 4G. */
  memory: option,
  /** Tasks of one array that run at once. */
  concurrent: z.number().int().min(1).max(100_000).default(8),
  /** Items of a rerun or profile that one task does. */
  itemsPerTask: z.number().int().min(1).max(10_000).default(8),
  /** How often what a task left undone is submitted again before it fails. */
  tries: z.number().int().min(0).max(100).default(3),
  /** Further #SBATCH lines, one each. */
  extra: z
    .array(oneLine("an option").regex(/^#SBATCH\s+-/, "begins with #SBATCH and an option"))
    .max(50)
    .default([]),
  /** A folder that this machine and the nodes see under the same path. Empty: inside MISSTEP_HOME. */
  folder: oneLine("a folder")
    .refine((f) => f === "" || path.isAbsolute(f), "an absolute path")
    .default(""),
  /** Starts the command line of Misstep on a node. Empty: as on this machine. */
  command: oneLine("a command").default(""),
});
export type SlurmSettings = z.infer<typeof slurmSettings>;

const clustersSchema = z.object({ slurm: slurmSettings.nullable().default(null) });
export type ClusterSettings = z.infer<typeof clustersSchema>;

/** The file of the cluster settings cannot be used. */
export class ClusterSettingsError extends Error {
  override name = "ClusterSettingsError";
}

/** The file of the cluster settings in the home for data. */
export const clustersFile = (): string => path.join(home().root, "clusters.json");

/** Reads the settings; no file means no cluster. Throws ClusterSettingsError with file and place. */
export function readClusters(): ClusterSettings {
  const file = clustersFile();
  if (!fs.existsSync(file)) return { slurm: null };
  let value: unknown;
  try {
    value = JSON.parse(fs.readFileSync(file, "utf8"));
  } catch (error) {
    throw new ClusterSettingsError(`${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
  const read = clustersSchema.safeParse(value);
  if (read.success) return read.data;
  const issue = read.error.issues[0];
  throw new ClusterSettingsError(`${file}, ${issue?.path.join(".")}: ${issue?.message}`);
}

/** Writes the settings of Slurm; null: no Slurm. Throws ZodError. */
export function writeSlurm(given: z.input<typeof slurmSettings> | null): void {
  const slurm = given === null ? null : slurmSettings.parse(given);
  writeWhole(clustersFile(), `${JSON.stringify({ slurm }, null, 2)}\n`);
}

/** Folder that the folders of jobs lie in. */
export const sharedFolder = ({ folder }: SlurmSettings): string => folder || path.join(home().root, "slurm");

/** The command line of Misstep as this machine starts it. */
export const ownCommand = (): string =>
  `MISSTEP_ROOT=${quote(projectRoot())} ${quote(process.execPath)} ${quote(path.join(projectRoot(), "dist/cli.mjs"))}`;
