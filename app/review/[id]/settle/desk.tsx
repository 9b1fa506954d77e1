"use client";
import { ChevronLeft, ChevronRight, Undo2 } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { type ReactNode, useRef, useState } from "react";
import type { ActionResult } from "@/app/action";
import { unreached } from "@/components/data/unreached";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Kbd } from "@/components/ui/kbd";
import { saidText } from "@/lib/review/names";
import type { DeskItem } from "@/lib/review/settle/desk";
import type { Said } from "@/lib/review/settle/standing";
import type { Adopted } from "@/lib/review/settle/unanimous";
import { plural } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";
import { adoptUnanimousAction, decideAction, reopenAction } from "./actions";
import { AnswerCards } from "./answer-cards";
import { DecisionForm } from "./decision-form";
import { type SettleParams, settleHref } from "./search-params";
import { useDeskKeys } from "./use-desk-keys";

const leftOutText = ({ leftOut }: Adopted): string => {
  const parts = [
    [leftOut.conflict, "in conflict"],
    [leftOut.unsure, "on which all are unsure"],
    [leftOut.waiting, "waiting for answers"],
    [leftOut.gold, "known already"],
    [leftOut.unanimous, "waiting for your own answer"],
    [leftOut.settled, "settled before"],
  ] as const;
  const some = parts.filter(([n]) => n > 0).map(([n, what]) => `${n} ${what}`);
  return some.length === 0 ? "" : `; left out: ${some.join(", ")}`;
};

/** Settling item by item, by hand or by keys. */
export function Desk({
  queueId,
  params,
  list,
  item,
  types,
  verdicts,
  unanimous,
  children,
}: {
  queueId: number;
  params: Pick<SettleParams, "show" | "names">;
  /** Positions of the items in the list that is gone through. */
  list: number[];
  item: DeskItem | null;
  types: { id: number; name: string }[];
  verdicts: readonly string[];
  /** Items that can be adopted in one go. */
  unanimous: number;
  /** What the item is about. */
  children: ReactNode;
}) {
  const router = useRouter();
  const [busy, setBusy] = useState(false);
  const [told, setTold] = useState<{ text: string; bad: boolean } | null>(null);
  const [comment, setComment] = useState("");
  const commentBox = useRef<HTMLTextAreaElement>(null);
  const firstChoice = useRef<HTMLInputElement>(null);
  const names = Object.fromEntries(types.map((t) => [String(t.id), t.name]));
  const at = item === null ? -1 : list.indexOf(item.position);
  const go = (position: number | undefined) => {
    if (position !== undefined) router.push(settleHref(queueId, { ...params, item: position }));
  };
  const next = at < 0 ? list.find((p) => item === null || p > item.position) : list[at + 1];
  const previous = at < 0 ? list.findLast((p) => item === null || p < item.position) : list[at - 1];

  const run = async <T,>(act: () => Promise<ActionResult<T>>, done: (value: T) => void) => {
    if (busy) return;
    setBusy(true);
    try {
      const result = await act();
      if (result.ok) done(result.value);
      else setTold({ text: result.error, bad: true });
    } catch (error) {
      setTold({ text: unreached(error), bad: true });
    } finally {
      setBusy(false);
    }
  };
  const settle = (decision: Said) =>
    item &&
    run(
      () => decideAction({ item: item.id, verdict: decision.verdict, types: decision.types, comment: comment || null }),
      (changed) => {
        setTold({
          text: `Item ${item.position} ${changed ? "settled" : "was settled like that already"}: ${saidText(decision, names)}.`,
          bad: false,
        });
        setComment("");
        // Settled, it is in the list of conflicts no more: what comes next is shown, else what is left.
        if (item.standing === "settled") router.refresh();
        else router.push(settleHref(queueId, { ...params, item: next ?? null }));
      },
    );
  const adopt = (n: number) => {
    const group = item?.groups[n - 1];
    if (group) settle({ verdict: group.verdict, types: group.types });
  };
  const adoptAll = () =>
    run(
      () => adoptUnanimousAction({ queue: queueId }),
      (adopted) => {
        setTold({ text: `${plural(adopted.adopted, "item")} adopted${leftOutText(adopted)}.`, bad: false });
        router.refresh();
      },
    );
  const takeBack = () =>
    item?.settled &&
    run(
      () => reopenAction({ item: item.id }),
      () => {
        setTold({ text: `Item ${item.position} is open again; its labels are taken back.`, bad: false });
        router.refresh();
      },
    );
  useDeskKeys({
    adopt,
    commands: {
      a: adoptAll,
      d: () => firstChoice.current?.focus(),
      c: () => commentBox.current?.focus(),
      j: () => go(next),
      k: () => go(previous),
      r: () => takeBack(),
      n: () => router.push(settleHref(queueId, { ...params, names: !params.names, item: item?.position ?? null })),
    },
  });
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <Button variant="primary" disabled={busy || unanimous === 0} onClick={adoptAll} aria-keyshortcuts="a">
          <Kbd>a</Kbd> Adopt all unanimous ({unanimous})
        </Button>
        <Button asChild>
          <Link
            href={settleHref(queueId, { ...params, names: !params.names, item: item?.position ?? null })}
            aria-keyshortcuts="n"
          >
            <Kbd>n</Kbd> {params.names ? "Hide names" : "Show names"}
          </Link>
        </Button>
        <span className="flex-1" />
        {item === null ? null : (
          <nav aria-label="Items" className="flex items-center gap-1 text-sm">
            <Button
              size="icon-sm"
              aria-label="Item before"
              disabled={previous === undefined}
              onClick={() => go(previous)}
            >
              <ChevronLeft aria-hidden />
            </Button>
            <span className="tabular-nums">
              {at < 0 ? `item ${item.position}` : `${at + 1} of ${list.length}, item ${item.position}`}
            </span>
            <Button size="icon-sm" aria-label="Next item" disabled={next === undefined} onClick={() => go(next)}>
              <ChevronRight aria-hidden />
            </Button>
          </nav>
        )}
      </div>
      <p role="status" className={told?.bad ? "text-sm text-bad" : "text-sm text-good"}>
        {told === null ? "" : visible(told.text)}
      </p>
      {item === null ? (
        children
      ) : (
        <div className="grid items-start gap-4 xl:grid-cols-2">
          {children}
          <div className="flex min-w-0 flex-col gap-3">
            {item.settled === null ? null : (
              <section
                aria-label="Settled as"
                className="flex flex-wrap items-center gap-2 rounded-lg border bg-surface p-3 text-sm"
              >
                <Badge tone="good">settled</Badge>
                <span className="min-w-0 flex-1">
                  <span className="font-medium">{visible(saidText(item.settled, names))}</span>
                  <span className="text-muted">
                    {" "}
                    {item.settled.method === "unanimous" ? "as all said it" : "decided"}
                    {item.settled.by === null ? "" : ` by ${visible(item.settled.by)}`}
                  </span>
                  {item.settled.comment === null ? null : (
                    <span className="foreign block text-muted">{visible(item.settled.comment)}</span>
                  )}
                </span>
                <Button onClick={() => takeBack()} disabled={busy}>
                  <Undo2 aria-hidden /> <Kbd>r</Kbd> Reopen
                </Button>
              </section>
            )}
            {item.known === null ? null : (
              <p className="text-sm text-muted">
                A known item: its answer is {visible(saidText(item.known, names))}. It checks annotators and needs no
                decision.
              </p>
            )}
            <AnswerCards groups={item.groups} names={names} busy={busy} onAdopt={adopt} />
            <DecisionForm
              key={item.id}
              verdicts={verdicts}
              types={types}
              start={item.settled}
              comment={comment}
              setComment={setComment}
              commentBox={commentBox}
              firstChoice={firstChoice}
              busy={busy}
              onDecide={settle}
            />
          </div>
        </div>
      )}
    </div>
  );
}
