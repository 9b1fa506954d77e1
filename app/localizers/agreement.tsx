import Link from "next/link";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { TableFrame, Td, Th } from "@/components/ui/table";
import type { Db } from "@/db/client";
import { agreementTables, disagreements, type LocalizerRow } from "@/db/queries/localizers";
import { addTables, agreementOf, EMPTY_TABLE, kappaOf, sizeOf, tableBootstrap } from "@/lib/evaluate/agreement";
import type { Interval } from "@/lib/evaluate/intervals";
import { formatCount, plural, UNKNOWN } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";
import { localizersHref } from "./search-params";

const PAGE = 25;
const percent = (n: number): string => `${(100 * n).toFixed(1)}%`;
const two = (n: number): string => n.toFixed(2).replace(/^-(0\.0+)$/, "$1");
const ends = (interval: Interval | null, digits: (n: number) => string): string =>
  interval === null
    ? "no interval: fewer than two trajectories"
    : `95% ${digits(interval.low)} to ${digits(interval.high)}`;

/** How far two localizers agree over the steps both judged, and where they do not. */
export function Agreement({
  db,
  first,
  second,
  after,
}: {
  db: Db;
  first: LocalizerRow;
  second: LocalizerRow;
  after: number | null;
}) {
  const clusters = agreementTables(db, first, second);
  const table = clusters.reduce(addTables, EMPTY_TABLE);
  const steps = sizeOf(table);
  if (steps === 0)
    return <p className="text-sm text-muted">No step was judged by both. Let a model judge some trajectories above.</p>;
  const key = `${first.id} ${second.id}`;
  const [agreement, kappa] = [agreementOf(table), kappaOf(table)];
  const list = disagreements(db, first, second, { limit: PAGE + 1, ...(after === null ? {} : { after }) });
  const shown = list.slice(0, PAGE);
  const last = shown.at(-1);
  const at = (place: { after: number | null }) => localizersHref({ a: first.id, b: second.id, ...place });
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-start gap-x-6 gap-y-3">
        <TableFrame label="Verdicts of both" className="w-auto">
          <thead>
            <tr>
              <Th />
              <Th className="foreign text-right">{visible(second.name)}: bad</Th>
              <Th className="foreign text-right">{visible(second.name)}: good</Th>
            </tr>
          </thead>
          <tbody>
            {(
              [
                ["bad", table.bothBad, table.firstBad],
                ["good", table.secondBad, table.bothGood],
              ] as const
            ).map(([word, bad, good]) => (
              <tr key={word}>
                <Th scope="row" className="foreign">
                  {visible(first.name)}: {word}
                </Th>
                <Td className="text-right tabular-nums">{formatCount(bad)}</Td>
                <Td className="text-right tabular-nums">{formatCount(good)}</Td>
              </tr>
            ))}
          </tbody>
        </TableFrame>
        <dl className="flex flex-wrap gap-x-6 gap-y-2 text-sm">
          <div>
            <dt className="text-xs text-muted">Judged by both</dt>
            <dd className="tabular-nums">
              {plural(steps, "step")} in {plural(clusters.length, "trajectory", "trajectories")}
            </dd>
          </div>
          <div>
            <dt className="text-xs text-muted">Same verdict</dt>
            <dd className="tabular-nums">
              {agreement === null ? UNKNOWN : percent(agreement)}{" "}
              <span className="text-xs text-muted">{ends(tableBootstrap(clusters, agreementOf, key), percent)}</span>
            </dd>
          </div>
          <div>
            <dt className="text-xs text-muted">Cohen’s kappa</dt>
            <dd className="tabular-nums">
              {kappa === null ? "not defined: one word alone was ever said" : two(kappa)}{" "}
              {kappa === null ? null : (
                <span className="text-xs text-muted">{ends(tableBootstrap(clusters, kappaOf, key), two)}</span>
              )}
            </dd>
          </div>
        </dl>
      </div>
      {shown.length === 0 ? (
        <p className="text-sm text-muted">
          {after === null ? "They differ on no step." : "They differ on no further step."}
        </p>
      ) : (
        <TableFrame label="Steps on which they differ">
          <thead>
            <tr>
              <Th>Step</Th>
              <Th>What it does</Th>
              <Th className="foreign">{visible(first.name)}</Th>
              <Th className="foreign">{visible(second.name)}</Th>
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <tr key={row.stepId}>
                <Td className="whitespace-nowrap">
                  <Link
                    href={`/trajectories/${row.trajectoryId}?step=${row.number ?? 1}`}
                    prefetch={false}
                    className="text-accent hover:underline"
                  >
                    {row.trajectoryId}, step {row.number ?? "?"}
                  </Link>
                </Td>
                <Td className="max-w-96 min-w-48">
                  <span className="foreign line-clamp-2 font-mono text-xs break-all">{visible(row.preview)}</span>
                </Td>
                <Verdict bad={row.firstBad === 1} reason={row.firstReason} />
                <Verdict bad={row.firstBad === 0} reason={row.secondReason} />
              </tr>
            ))}
          </tbody>
        </TableFrame>
      )}
      <div className="flex gap-2">
        {after === null ? null : (
          <Button asChild size="sm">
            <Link href={at({ after: null })}>First</Link>
          </Button>
        )}
        {list.length > PAGE && last ? (
          <Button asChild size="sm">
            <Link href={at({ after: last.stepId })}>More</Link>
          </Button>
        ) : null}
      </div>
    </div>
  );
}

function Verdict({ bad, reason }: { bad: boolean; reason: string | null }) {
  return (
    <Td className="max-w-80 min-w-48">
      <Badge tone={bad ? "bad" : "good"}>{bad ? "bad" : "good"}</Badge>{" "}
      {reason === null ? null : <span className="foreign text-xs">{visible(reason)}</span>}
    </Td>
  );
}
