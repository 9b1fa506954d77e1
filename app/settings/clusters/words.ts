import type { SlurmError } from "@/lib/jobs/place/slurm/client";

/** What a failed test of Slurm comes to and what to do, in words; what the command itself said stands last. */
export function slurmFailure(error: SlurmError): string {
  if (error.missing) return `${error.message}. Misstep must run on a machine that can submit to the cluster.`;
  const said = `${error.command} said: ${error.said}`;
  if (/munge|authentication|credential/i.test(error.said))
    return `This machine is not let in: start munged, with the key of the cluster. ${said}`;
  if (error.isTransient)
    return `The controller of the cluster cannot be reached from here: see that slurmctld runs and that SLURM_CONF (or /etc/slurm/slurm.conf) names it, then test again. ${said}`;
  return `The partitions cannot be listed: run ${error.command} in a shell of the user that Misstep runs as, and mend what it says. ${said}`;
}
