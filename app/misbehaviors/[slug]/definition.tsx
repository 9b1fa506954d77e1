import type { MisbehaviorRow } from "@/db/queries/misbehaviors";
import { visible } from "@/lib/text/glyphs";

/** What the type is, what it is not, and what the rules look for. */
export function Definition({ type }: { type: MisbehaviorRow }) {
  return (
    <section aria-label="Definition" className="grid gap-x-6 gap-y-3 rounded-lg border bg-surface p-4 lg:grid-cols-2">
      <div>
        <h2 className="text-sm font-medium text-muted">Is</h2>
        <p className="foreign max-w-prose">{visible(type.definition)}</p>
        {type.example ? <p className="mt-2 max-w-prose text-sm text-muted">For example: {type.example}</p> : null}
      </div>
      <div className="flex flex-col gap-3">
        {type.excludes.length > 0 ? (
          <div>
            <h2 className="text-sm font-medium text-muted">Is not</h2>
            <ul className="max-w-prose list-disc pl-5">
              {type.excludes.map((text) => (
                <li key={text}>{text}</li>
              ))}
            </ul>
          </div>
        ) : null}
        {type.looksFor ? (
          <div>
            <h2 className="text-sm font-medium text-muted">The rules look for</h2>
            <p className="max-w-prose text-sm">{type.looksFor}</p>
          </div>
        ) : null}
      </div>
    </section>
  );
}
