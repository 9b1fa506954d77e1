import { Td, Th } from "@/components/ui/table";
import { type Quality, RECALL_UNKNOWN } from "@/lib/evaluate/people/quality";
import { formatCount, plural } from "@/lib/text/format";
import { ends, percent, ShareText, two } from "./agreement-numbers";

const RIGHT = "text-right tabular-nums whitespace-nowrap";
const NOTE = "block text-2xs text-muted";

/** Headings of QualityCells. `of`: what was looked at. */
export function QualityHeads({ of }: { of: string }) {
  return (
    <>
      <Th className="text-right">{of}</Th>
      <Th className="text-right">Both / people / it / none</Th>
      <Th className="text-right">Same verdict</Th>
      <Th className="text-right">Cohen’s kappa</Th>
      <Th className="text-right">Precision</Th>
      <Th className="text-right">Recall</Th>
    </>
  );
}

/** Something against people: counts, agreement beyond chance, precision and recall, each with its interval. */
export function QualityCells({ of, clusters }: { of: Quality; clusters: [one: string, many: string] }) {
  const { table } = of;
  return (
    <>
      <Td className={RIGHT}>
        {formatCount(of.steps)}
        <span className={NOTE}>in {plural(of.clusters, clusters[0], clusters[1])}</span>
      </Td>
      <Td className={RIGHT}>
        {table.bothBad} / {table.firstBad} / {table.secondBad} / {formatCount(table.bothGood)}
      </Td>
      <Td className={RIGHT}>
        {of.agreement === null ? "not known" : percent(of.agreement)}
        {of.agreementInterval ? <span className={NOTE}>95% {ends(of.agreementInterval, percent)}</span> : null}
      </Td>
      <Td className={RIGHT}>
        {of.kappa === null ? (
          <>
            <span className="text-muted">not defined</span>
            <span className={NOTE}>one word alone was said</span>
          </>
        ) : (
          two(of.kappa)
        )}
        {of.kappa !== null && of.kappaInterval ? <span className={NOTE}>95% {ends(of.kappaInterval, two)}</span> : null}
      </Td>
      <Td className={RIGHT}>
        <ShareText of={of.precision} none="it called none so" />
      </Td>
      <Td className={RIGHT}>
        {"notKnown" in of.recall ? (
          <>
            <span className="text-muted">not known: </span>
            <span className="ml-auto block max-w-36 text-2xs whitespace-normal text-muted">
              {RECALL_UNKNOWN[of.recall.notKnown]}
            </span>
          </>
        ) : (
          <ShareText of={of.recall} none="people called none so" />
        )}
      </Td>
    </>
  );
}
