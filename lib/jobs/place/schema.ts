import { z } from "zod";

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
    .refine((f) => f === "" || f.startsWith("/"), "an absolute path")
    .default(""),
  /** Starts the command line of Misstep on a node. Empty: as on this machine. */
  command: oneLine("a command").default(""),
});
export type SlurmSettings = z.infer<typeof slurmSettings>;
