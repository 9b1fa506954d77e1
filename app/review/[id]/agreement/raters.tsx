import { ShareText } from "@/components/data/agreement-numbers";
import { TableFrame, Td, Th } from "@/components/ui/table";
import type { AgainstKnown } from "@/lib/review/agreement/gold";
import type { RaterRow } from "@/lib/review/agreement/raters";
import { visible } from "@/lib/text/glyphs";

const RIGHT = "text-right tabular-nums";

/** Who answered how much, how fast, and how far with the others. */
export function Raters({ raters }: { raters: readonly RaterRow[] }) {
  return (
    <TableFrame label="Annotators">
      <thead>
        <tr>
          <Th>Annotator</Th>
          {[
            "Answers",
            "Unsure",
            "Environment",
            "Skipped",
            "From a file",
            "Median time",
            "Too fast",
            "Same as others",
          ].map((name) => (
            <Th key={name} className="text-right">
              {name}
            </Th>
          ))}
        </tr>
      </thead>
      <tbody>
        {raters.map((r) => (
          <tr key={r.personId}>
            <Td className="foreign min-w-32">{visible(r.person)}</Td>
            {[r.answers, r.unsure, r.environment, r.skipped, r.imported].map((n, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the columns never change their order
              <Td key={i} className={RIGHT}>
                {n}
              </Td>
            ))}
            <Td className={RIGHT}>
              {r.medianSeconds === null ? (
                <span className="text-muted">not known</span>
              ) : (
                `${r.medianSeconds.toFixed(1)} s`
              )}
            </Td>
            <Td className={RIGHT}>
              <ShareText of={r.tooFast} />
            </Td>
            <Td className={RIGHT}>
              <ShareText of={r.withOthers} />
            </Td>
          </tr>
        ))}
      </tbody>
    </TableFrame>
  );
}

/** Raters against the known items. */
export function Known({ rows }: { rows: readonly AgainstKnown[] }) {
  if (rows.length === 0)
    return (
      <p className="text-sm text-muted">No known item (gold, catch) of this queue has an answer that you may see.</p>
    );
  return (
    <TableFrame label="Annotators against known items">
      <thead>
        <tr>
          <Th>Annotator</Th>
          <Th>Known by</Th>
          <Th className="text-right">Accuracy</Th>
          <Th className="text-right">Precision</Th>
          <Th className="text-right">Recall</Th>
        </tr>
      </thead>
      <tbody>
        {rows.map((r) => (
          <tr key={`${r.personId} ${r.kind}`}>
            <Td className="foreign min-w-32">{visible(r.person)}</Td>
            <Td className="min-w-36">
              {r.kind === "catch" ? "catch: an error put in on purpose" : "gold: settled before"}
            </Td>
            {[r.accuracy, r.precision, r.recall].map((share, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the columns never change their order
              <Td key={i} className={RIGHT}>
                <ShareText of={share} />
              </Td>
            ))}
          </tr>
        ))}
      </tbody>
    </TableFrame>
  );
}
