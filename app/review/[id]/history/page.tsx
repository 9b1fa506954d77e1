import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import { currentActor } from "@/app/actor";
import { Who } from "@/app/people/who";
import { verdictText } from "@/app/review/[id]/keys";
import { Page } from "@/components/shell/page";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { StateMessage } from "@/components/ui/state";
import { TableFrame, Td, Th } from "@/components/ui/table";
import { getDb } from "@/db/client";
import { typesOf } from "@/db/queries/taxonomies";
import { findQueue } from "@/lib/review/queue/queue";
import { ownHistory } from "@/lib/review/serve/progress";
import { formatDuration, formatTime, UNKNOWN } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";

export const metadata: Metadata = { title: "Your answers" };
export const dynamic = "force-dynamic";

const PAGE = 200;

/** Everything the acting person said in a queue, changed and taken back answers too. */
export default async function HistoryPage({ params, searchParams }: PageProps<"/review/[id]/history">) {
  const db = getDb();
  const queue = findQueue(db, Number((await params).id) || 0);
  if (!queue) notFound();
  const actor = await currentActor();
  const before = Number((await searchParams).before);
  const rows =
    actor.personId === null
      ? []
      : ownHistory(db, queue.id, actor.personId, {
          limit: PAGE,
          ...(Number.isSafeInteger(before) && before > 0 ? { before } : {}),
        });
  const names = new Map(
    queue.taxonomyId === null ? [] : typesOf(db, queue.taxonomyId).map((t) => [t.id, t.name] as const),
  );
  return (
    <Page
      title="Your answers"
      note={`${visible(queue.name)}. Nothing is overwritten: what you changed or took back stays here.`}
      actions={
        <Button asChild>
          <Link href={`/review/${queue.id}`}>Go on</Link>
        </Button>
      }
    >
      {rows.length === 0 ? (
        <StateMessage
          title={actor.personId === null ? "Say who you are first" : "No answer yet"}
          actions={actor.personId === null ? <Who actor={actor} place="page" /> : null}
        >
          {actor.personId === null
            ? "Answers are listed under a name."
            : "What you answer in this queue is listed here."}
        </StateMessage>
      ) : (
        <>
          <TableFrame label="Your answers">
            <thead>
              <tr>
                <Th>Item</Th>
                <Th>Answer</Th>
                <Th>Reason</Th>
                <Th>Took</Th>
                <Th>Guideline</Th>
                <Th>When</Th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.answerId} className={row.current === 1 ? undefined : "text-muted"}>
                  <Td className="tabular-nums">{row.position}</Td>
                  <Td>
                    <span className="foreign">
                      {visible(
                        verdictText(
                          row.verdict,
                          row.types.map((t) => names.get(t) ?? `type ${t}`),
                        ),
                      )}
                    </span>{" "}
                    {row.current === 1 ? null : <Badge>changed or taken back</Badge>}{" "}
                    {row.round > 1 ? <Badge>round {row.round}</Badge> : null}
                  </Td>
                  <Td className="foreign max-w-96 break-words">
                    {row.reason === null ? UNKNOWN : visible(row.reason)}
                  </Td>
                  <Td className="whitespace-nowrap tabular-nums">
                    {row.durationMs === null ? UNKNOWN : formatDuration(row.durationMs)}{" "}
                    {row.tooFast === 1 ? <Badge tone="warn">too fast to read</Badge> : null}
                  </Td>
                  <Td className="tabular-nums">{row.guideline === null ? UNKNOWN : row.guideline}</Td>
                  <Td className="whitespace-nowrap">{formatTime(row.createdAt)}</Td>
                </tr>
              ))}
            </tbody>
          </TableFrame>
          {rows.length === PAGE ? (
            <Button asChild className="self-start">
              <Link href={`/review/${queue.id}/history?before=${rows.at(-1)?.answerId}`}>Older answers</Link>
            </Button>
          ) : null}
        </>
      )}
    </Page>
  );
}
