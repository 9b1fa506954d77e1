/** Where the items of a job are performed. The index is written on this machine in any case. */
export const PLACES = ["local", "slurm"] as const;
export type Place = (typeof PLACES)[number];
