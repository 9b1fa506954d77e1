import { CoefficientText, ShareText } from "@/components/data/agreement-numbers";
import { TableFrame, Td, Th } from "@/components/ui/table";
import type { Coefficient } from "@/lib/evaluate/stats/agreement/coefficient";
import type { Measures } from "@/lib/review/agreement/measures";
import { visible } from "@/lib/text/glyphs";

export interface MeasuresRow extends Measures {
  name: string;
  note?: string;
  masi?: Coefficient | null;
}

const RIGHT = "text-right whitespace-nowrap tabular-nums";

/** Coefficients of agreement side by side, a row each. */
export function MeasuresTable({ label, rows, of }: { label: string; rows: readonly MeasuresRow[]; of: string }) {
  const masi = rows.some((row) => row.masi);
  return (
    <TableFrame label={label}>
      <thead>
        <tr>
          <Th>{of}</Th>
          <Th className="text-right">Same answer</Th>
          <Th className="text-right">Cohen’s kappa, mean</Th>
          <Th className="text-right">Fleiss’ kappa</Th>
          <Th className="text-right">Krippendorff’s alpha</Th>
          {masi ? <Th className="text-right">Alpha of sets (MASI)</Th> : null}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.name}>
            <Th scope="row" className="min-w-36 py-1.5 align-top text-sm font-normal whitespace-normal text-text">
              {visible(row.name)}
              {row.note ? <span className="block text-2xs text-muted">{row.note}</span> : null}
            </Th>
            <Td className={RIGHT}>
              <ShareText of={row.raw} />
            </Td>
            <Td className={RIGHT}>
              <CoefficientText of={row.cohen} />
              {row.cohen.pairs > 1 ? (
                <span className="block text-2xs text-muted">
                  over {row.cohen.defined} of {row.cohen.pairs} pairs
                </span>
              ) : null}
            </Td>
            <Td className={RIGHT}>
              <CoefficientText of={row.fleiss} />
            </Td>
            <Td className={RIGHT}>
              <CoefficientText of={row.alpha} />
            </Td>
            {masi ? <Td className={RIGHT}>{row.masi ? <CoefficientText of={row.masi} /> : null}</Td> : null}
          </tr>
        ))}
      </tbody>
    </TableFrame>
  );
}
