/** Where the items of a job can be performed. The index is written on this machine in any case. */
export const PLACES = ["local", "slurm"] as const;
/** Where a bundle of a larger trainer can be run. */
export const LAUNCH_PLACES = ["local", "slurm", "ray"] as const;
export type Place = (typeof LAUNCH_PLACES)[number];
