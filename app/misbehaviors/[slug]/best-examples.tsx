import Link from "next/link";
import type { ErrorStepExample } from "@/db/queries/errorSteps";
import { visible } from "@/lib/text/glyphs";

/** A few examples to learn the type by: chosen by people or while building, else the shortest. */
export function BestExamples({ examples, chosen }: { examples: ErrorStepExample[]; chosen: boolean }) {
  if (examples.length === 0) return null;
  return (
    <section aria-label="Examples" className="flex min-w-0 flex-col gap-2 rounded-lg border bg-surface p-3">
      <h2 className="font-medium">
        Examples{" "}
        <span className="text-sm font-normal text-muted">{chosen ? "stored with the type" : "the shortest ones"}</span>
      </h2>
      <ol className="grid gap-3 md:grid-cols-2 xl:grid-cols-3">
        {examples.map((e) => (
          <li key={e.stepId} className="min-w-0 text-sm">
            <Link
              href={`/trajectories/${e.trajectoryId}?${e.number === null ? `entry=${e.index}` : `step=${e.number}`}`}
              className="text-accent hover:underline"
            >
              {visible(e.task ?? `trajectory ${e.trajectoryId}`)}
            </Link>
            {e.preview ? (
              <pre className="foreign max-h-20 overflow-hidden font-mono text-xs whitespace-pre-wrap">
                {visible(e.preview)}
              </pre>
            ) : null}
            {e.reason ? <p className="foreign text-pretty text-muted">{visible(e.reason)}</p> : null}
          </li>
        ))}
      </ol>
    </section>
  );
}
