import { PaperNotes } from "@/components/data/paper-notes";
import {
  PAPER_NAME,
  publishedRates,
  publishedReductions,
  RATE_SUBJECTS,
  subjectName,
} from "@/lib/evaluate/paper/published";
import { PublishedFigure } from "./published-figure";

/** The paper's Figure 7 as one's own rates are drawn, with what recalculating it showed. */
export function PublishedRates() {
  const rates = publishedRates();
  const misbehaviors = [...new Set(rates.map((r) => r.misbehavior))];
  return (
    <PublishedFigure
      title="Misbehavior rates (published)"
      note={
        <>
          {PAPER_NAME}, Figure 7. No interval and no denominator is printed.{" "}
          {publishedReductions().map(
            ({ judge, ofMeans, meanOf }) =>
              `${judge}: MiRL ${ofMeans.toFixed(1)}% below the base by the mean rate, ${meanOf.toFixed(1)}% by the mean of the reductions. `,
          )}
          <PaperNotes places={["rates", "protocol"]} />
        </>
      }
      subjects={RATE_SUBJECTS.map(subjectName)}
      marks={rates.map((r) => ({
        judge: r.judge,
        href: `/misbehaviors/${r.misbehavior}`,
        mark: {
          checkpointId: RATE_SUBJECTS.indexOf(r.subject),
          place: RATE_SUBJECTS.indexOf(r.subject),
          errorTypeId: misbehaviors.indexOf(r.misbehavior),
          misbehavior: r.misbehavior,
          value: r.value / 100,
          why: null,
          interval: null,
          leaked: false,
          lines: [
            `${subjectName(r.subject)}, ${r.misbehavior}, judge ${r.judge}: ${r.value}%, published.`,
            "20 prefixes x 16 samples planned; numerator, denominator and interval are not printed.",
          ],
        },
      }))}
    />
  );
}
