import { EyeOff } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import { currentActor } from "@/app/actor";
import { MeasuresTable } from "@/app/review/[id]/agreement/measures-table";
import { QueuePlaces } from "@/app/review/[id]/places";
import { Page } from "@/components/shell/page";
import { Badge } from "@/components/ui/badge";
import { TableFrame, Td, Th } from "@/components/ui/table";
import { getDb } from "@/db/client";
import { type AnswerRow, offeredTypes, queueItems, reviewQueueById } from "@/db/queries/reviewAnswers";
import { subjectPlace } from "@/db/queries/reviewSubjects";
import { groupBy } from "@/lib/evaluate/groupBy";
import { overallOf } from "@/lib/review/agreement/measures";
import { saidText } from "@/lib/review/names";
import { notesOf, PHASE_NAMES, PHASES } from "@/lib/review/norming/phases";
import { said, saidKey } from "@/lib/review/settle/standing";
import { QUESTION_NAMES } from "@/lib/review/types";
import { visibleAnswers } from "@/lib/review/visibleAnswers";
import { visible } from "@/lib/text/glyphs";
import { NoteForm } from "./note-form";
import { PhaseBar } from "./phase-bar";

export const metadata: Metadata = { title: "Norming" };
export const dynamic = "force-dynamic";

const TELLS: Record<string, string> = {
  blind: "Everybody votes on every item without seeing the others. Votes are shown after the reveal.",
  revealed: "Votes are shown. Talk about the items with different votes, note what was said, and mend the guideline.",
  again: "Everybody votes again. Second votes are shown to who has given theirs.",
  closed: "Both votes are kept. What rose between them was unclear in the guideline; what did not is hard.",
};

export default async function NormingPage({ params }: PageProps<"/review/[id]/norming">) {
  const id = Number((await params).id);
  const db = getDb();
  const queue = Number.isSafeInteger(id) ? reviewQueueById(db, id) : undefined;
  if (queue?.mode !== "norming") notFound();
  const actor = await currentActor();
  const { answers, visible: seen } = visibleAnswers(db, actor, queue);
  const names = Object.fromEntries(offeredTypes(db, queue.taxonomyId).map((t) => [String(t.id), t.name]));
  const notes = groupBy(notesOf(db, id), (n) => n.itemId);
  const byItem = groupBy(answers, (a) => a.itemId);
  const rounds = [1, 2].filter((round) => answers.some((a) => a.round === round));
  const items = queueItems(db, id);
  const noting = (queue.phase === "revealed" || queue.phase === "again") && actor.personId !== null;
  return (
    <Page
      title={`Norming: ${visible(queue.name)}`}
      note={QUESTION_NAMES[queue.question]}
      actions={<QueuePlaces id={id} here="norming" norming />}
    >
      <PhaseBar
        queueId={id}
        phase={queue.phase}
        phases={PHASES.map((phase) => ({ id: phase, name: PHASE_NAMES[phase] }))}
        lead={actor.role === "admin"}
      />
      <p className="text-sm text-muted">
        {TELLS[queue.phase]}{" "}
        {queue.phase === "blind" || queue.phase === "again" ? (
          <Link href={`/review/${id}`} className="text-accent hover:underline">
            Vote
          </Link>
        ) : null}
      </p>
      {seen.size < items.length ? (
        <p className="flex items-center gap-1.5 text-sm text-muted">
          <EyeOff aria-hidden className="size-4 shrink-0" />
          Votes on {items.length - seen.size} of {items.length} items are hidden from you for now.
        </p>
      ) : null}
      {rounds.length > 0 ? (
        <section aria-labelledby="both" className="flex min-w-0 flex-col gap-2">
          <h2 id="both" className="font-medium">
            Agreement of both votes
          </h2>
          <MeasuresTable
            label="Agreement of both votes"
            of="Vote"
            rows={rounds.map((round) => ({
              ...overallOf(
                answers.filter((a) => a.round === round),
                queue.question,
                "apart",
              ),
              name: round === 1 ? "First, blind" : "Second, after the reveal",
            }))}
          />
        </section>
      ) : null}
      <section aria-labelledby="items" className="flex min-w-0 flex-col gap-2">
        <h2 id="items" className="font-medium">
          Items
        </h2>
        <TableFrame label="Items">
          <thead>
            <tr>
              <Th>Item</Th>
              <Th>First vote, blind</Th>
              <Th>Second vote</Th>
              <Th>Notes</Th>
            </tr>
          </thead>
          <tbody>
            {items.map((item) => {
              const place = subjectPlace(db, queue.question, item.subjectId);
              const own = byItem.get(item.id) ?? [];
              return (
                <tr key={item.id}>
                  <Td className="min-w-36">
                    <span className="tabular-nums">{item.position}</span>{" "}
                    {place ? (
                      <Link href={place.href} prefetch={false} className="foreign text-accent hover:underline">
                        {visible(place.title)}
                      </Link>
                    ) : (
                      <span className="text-muted">not in the index any more</span>
                    )}
                  </Td>
                  {[1, 2].map((round) => (
                    <Td key={round} className="min-w-44">
                      <Votes answers={own.filter((a) => a.round === round)} names={names} hidden={!seen.has(item.id)} />
                    </Td>
                  ))}
                  <Td className="min-w-56">
                    <ul className="flex flex-col gap-1 pb-1">
                      {(seen.has(item.id) ? (notes.get(item.id) ?? []) : []).map((n) => (
                        <li key={n.id} className="foreign whitespace-pre-wrap">
                          {n.person === null ? null : <span className="text-muted">{visible(n.person)}: </span>}
                          {visible(n.text)}
                        </li>
                      ))}
                    </ul>
                    {noting && seen.has(item.id) ? <NoteForm item={item.id} position={item.position} /> : null}
                  </Td>
                </tr>
              );
            })}
          </tbody>
        </TableFrame>
      </section>
    </Page>
  );
}

function Votes({
  answers,
  names,
  hidden,
}: {
  answers: readonly AnswerRow[];
  names: Readonly<Record<string, string>>;
  hidden: boolean;
}) {
  if (hidden) return <span className="text-muted">hidden</span>;
  if (answers.length === 0) return <span className="text-muted">none to see</span>;
  const same = new Set(answers.filter((a) => a.verdict !== "skip").map((a) => saidKey(said(a)))).size <= 1;
  return (
    <>
      <Badge tone={same ? "good" : "warn"}>{same ? "all the same" : "different"}</Badge>
      <ul className="pt-1">
        {answers.map((a) => (
          <li key={a.id}>
            <span className="foreign text-muted">{visible(a.person)}:</span> {visible(saidText(said(a), names))}
            {a.reason ? <span className="foreign block pl-3 text-xs text-muted">{visible(a.reason)}</span> : null}
          </li>
        ))}
      </ul>
    </>
  );
}
