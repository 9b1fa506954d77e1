import "server-only";
import fs from "node:fs";
import path from "node:path";
import { z } from "zod";
import { home, projectRoot } from "@/db/home";
import { writeWhole } from "@/lib/model/chat/file";
import { quote } from "@/lib/sandbox/quote";
import { type SlurmSettings, slurmSettings } from "./schema";

export { type SlurmSettings, slurmSettings };

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
