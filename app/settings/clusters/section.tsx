import {
  type ClusterSettings,
  ClusterSettingsError,
  clustersFile,
  readClusters,
  slurmSettings,
} from "@/lib/jobs/place/settings";
import { SlurmForm } from "./slurm-form";
import { TestSlurm } from "./test-slurm";

/** The cluster that reruns, profiles and trainings can run on. */
export function Clusters() {
  let settings: ClusterSettings;
  try {
    settings = readClusters();
  } catch (error) {
    if (!(error instanceof ClusterSettingsError)) throw error;
    return (
      <section id="clusters" className="flex flex-col gap-2">
        <h2 className="font-medium">Clusters</h2>
        <p role="alert" className="foreign rounded-lg border border-bad/60 bg-bad-soft p-3 text-sm text-bad">
          {error.message}. Mend the file; it is not written over.
        </p>
      </section>
    );
  }
  const { slurm } = settings;
  const form = (
    <SlurmForm key={slurm === null ? "new" : "set"} given={slurm ?? slurmSettings.parse({})} isSet={slurm !== null} />
  );
  return (
    <section id="clusters" className="flex flex-col gap-2">
      <h2 className="font-medium">Clusters</h2>
      <p className="text-sm text-muted">
        {slurm === null
          ? "No cluster is set up: reruns, profiles and trainings run on this machine. With Slurm set up, their start forms can send them there; tasks write files, and this machine alone writes the index."
          : "Reruns, profiles and trainings can be sent to Slurm from their start forms."}{" "}
        Kept in <code className="foreign font-mono text-xs">{clustersFile()}</code>.{" "}
        <a href="/settings/clusters/guide" className="text-accent hover:underline">
          What a cluster needs (docs/clusters.md)
        </a>
      </p>
      {slurm === null ? (
        <details>
          <summary className="cursor-pointer text-sm text-muted">Set up Slurm</summary>
          <div className="mt-2">{form}</div>
        </details>
      ) : (
        <>
          <TestSlurm />
          {form}
        </>
      )}
    </section>
  );
}
