import { FlaskConicalOff } from "lucide-react";
import { ForeignText } from "@/components/reader/foreign-text";
import { StateMessage } from "@/components/ui/state";
import { formatCount } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";
import type { Artifact } from "@/lib/trajectory/types";

/** Characters of one artifact sent with the page; the whole is a link away. */
const MOST = 400_000;

/** Texts that came with the trajectory: the outcome tests' output, traces, logs. */
export function Artifacts({ id, artifacts }: { id: number; artifacts: Artifact[] }) {
  if (artifacts.length === 0)
    return (
      <StateMessage icon={<FlaskConicalOff aria-hidden />} title="No output of outcome tests">
        The file came with no verifier output, trace or log.
      </StateMessage>
    );
  return (
    <div className="h-full overflow-y-auto">
      <div className="mx-auto flex max-w-6xl flex-col gap-5 p-3 sm:p-4">
        {artifacts.map((artifact, index) => (
          <article key={artifact.name} className="flex flex-col gap-1.5">
            <h2 className="foreign font-mono text-sm font-semibold">{visible(artifact.name)}</h2>
            {artifact.text.length > MOST ? (
              <p className="text-sm text-warn">
                The first {formatCount(MOST)} of {formatCount(artifact.text.length)} characters are shown.{" "}
                <a className="underline" href={`/api/trajectories/${id}/artifact?index=${index}`}>
                  Open the whole text
                </a>
              </p>
            ) : null}
            <ForeignText label={visible(artifact.name)} terminal json={JSON.stringify(artifact.text.slice(0, MOST))} />
          </article>
        ))}
      </div>
    </div>
  );
}
