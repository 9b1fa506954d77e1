import { TableFrame, Td, Th } from "@/components/ui/table";
import type { Db } from "@/db/client";
import { type LocalizerRow, labelDatasets } from "@/db/queries/localizers";
import { localizerScore, type Share } from "@/lib/evaluate/localizerScores";
import { formatCount } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";

const percent = (n: number): string => `${(100 * n).toFixed(1)}%`;

function Hits({ share }: { share: Share }) {
  const { hits, of, interval } = share;
  return (
    <Td className="text-right whitespace-nowrap tabular-nums">
      {of === 0 ? (
        <span className="text-muted">none can be</span>
      ) : (
        <>
          {percent(hits / of)}
          <span className="block text-2xs text-muted">
            {hits} of {of}
            {interval ? `, 95% ${percent(interval.low)} to ${percent(interval.high)}` : ""}
          </span>
        </>
      )}
    </Td>
  );
}

/** Localizers against the step that people call decisive, by data set. */
export function Scores({ db, judges }: { db: Db; judges: LocalizerRow[] }) {
  const datasets = labelDatasets(db);
  if (datasets.length === 0)
    return (
      <p className="text-sm text-muted">
        No data set with a step that people call decisive yet: they come with Who&amp;When and AgentRx files when those
        are imported.
      </p>
    );
  return (
    <div className="flex flex-col gap-2">
      <TableFrame label="Scores against labels by people">
        <thead>
          <tr>
            <Th>Data set</Th>
            <Th>Localizer</Th>
            {["Judged", "No flag", "Exact", "Within one", "Within three", "Any flag hits", "Same type"].map((name) => (
              <Th key={name} className="text-right">
                {name}
              </Th>
            ))}
          </tr>
        </thead>
        <tbody>
          {datasets.flatMap((dataset) =>
            judges.map((judge) => {
              const score = localizerScore(db, dataset, judge);
              return (
                <tr key={`${dataset} ${judge.id}`}>
                  <Td className="foreign">{visible(dataset)}</Td>
                  <Td>
                    <span className="foreign font-medium">{visible(judge.name)}</span>{" "}
                    <span className="foreign text-xs text-muted">{visible(judge.version)}</span>
                  </Td>
                  <Td className="text-right whitespace-nowrap tabular-nums">
                    {formatCount(score.judged)}
                    <span className="text-muted"> of {formatCount(score.labelled)}</span>
                    {score.incomplete > 0 ? (
                      <span className="block text-2xs text-muted">{formatCount(score.incomplete)} in part</span>
                    ) : null}
                  </Td>
                  <Td className="text-right tabular-nums">{formatCount(score.withoutFlag)}</Td>
                  <Hits share={score.exact} />
                  <Hits share={score.withinOne} />
                  <Hits share={score.withinThree} />
                  <Hits share={score.among} />
                  <Hits share={score.sameType} />
                </tr>
              );
            }),
          )}
        </tbody>
      </TableFrame>
      <p className="max-w-[75ch] text-xs text-muted">
        A localizer’s prediction is the first step that it calls bad; the mark is the step that people call the root
        cause, else the first that they marked. Distances count entries of the record. Every judged trajectory is in the
        denominator, those without any flag as misses. The type can be the same only where the data set names a category
        with a counterpart among the misbehaviors: in AgentRx invented information (presents a guess as a fact) and
        invalid calls (no runnable command); its other categories, and Who&amp;When as a whole, have none. The rules
        read terminal commands, of which records of talking agents hold few or none.
      </p>
    </div>
  );
}
