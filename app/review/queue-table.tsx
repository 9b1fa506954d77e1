import Link from "next/link";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { TableFrame, Td, Th } from "@/components/ui/table";
import type { QueueRow } from "@/db/queries/reviewQueues";
import { QUESTION_NAMES } from "@/lib/review/types";
import { formatCount, plural } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";
import { QueueMenu } from "./queue-menu";

/** All queues with their progress, and the way into each. */
export function QueueTable({
  queues,
  named,
  rater,
  admin,
}: {
  queues: QueueRow[];
  /** The acting person has a name, so that answers can be theirs. */
  named: boolean;
  rater: boolean;
  admin: boolean;
}) {
  return (
    <TableFrame label="Review queues">
      <thead>
        <tr>
          <Th>Queue</Th>
          <Th>Answers</Th>
          <Th className="max-sm:hidden">Items</Th>
          <Th className="max-sm:hidden">You</Th>
          <Th>
            <span className="sr-only">Actions</span>
          </Th>
        </tr>
      </thead>
      <tbody>
        {queues.map((queue) => (
          <tr key={queue.id}>
            <Td className="sm:min-w-48">
              <Link href={`/review/${queue.id}`} className="foreign font-medium hover:underline">
                {visible(queue.name)}
              </Link>{" "}
              {queue.phase === "closed" ? <Badge>closed</Badge> : null}
              {queue.mode === "norming" ? <Badge tone="accent">norming: {queue.phase}</Badge> : null}
              <div className="text-xs text-muted">
                {QUESTION_NAMES[queue.question]} · {plural(queue.raters, "annotator")} an item
                {queue.createdBy ? ` · by ${visible(queue.createdBy)}` : ""}
              </div>
            </Td>
            <Td className="whitespace-nowrap tabular-nums">
              <Bar done={Math.min(queue.answers, queue.wanted)} of={queue.wanted} />
              {formatCount(queue.answers)} of {formatCount(queue.wanted)}
              <div className="text-xs text-muted">{plural(queue.people, "person", "people")}</div>
            </Td>
            <Td className="whitespace-nowrap tabular-nums max-sm:hidden">
              {formatCount(queue.complete)} of {formatCount(queue.items)} complete
              <div className="text-xs text-muted">
                {formatCount(queue.settled)} settled{queue.gold > 0 ? ` · ${queue.gold} with a known answer` : ""}
              </div>
            </Td>
            <Td className="whitespace-nowrap tabular-nums max-sm:hidden">
              {named ? `${formatCount(queue.mine)} done · ${formatCount(queue.left)} left` : "—"}
            </Td>
            <Td className="text-right whitespace-nowrap">
              <span className="inline-flex items-center gap-1">
                {rater && queue.phase !== "closed" ? (
                  <Button asChild size="sm" variant={queue.left > 0 ? "primary" : "outline"}>
                    <Link href={`/review/${queue.id}`}>
                      {queue.mine > 0 ? "Go on" : "Start"} <span className="sr-only">with {visible(queue.name)}</span>
                    </Link>
                  </Button>
                ) : null}
                <QueueMenu
                  id={queue.id}
                  name={visible(queue.name)}
                  phase={queue.phase}
                  mode={queue.mode}
                  admin={admin}
                />
              </span>
            </Td>
          </tr>
        ))}
      </tbody>
    </TableFrame>
  );
}

function Bar({ done, of }: { done: number; of: number }) {
  return (
    <div aria-hidden className="mb-1 h-1.5 w-20 overflow-hidden sm:w-28 rounded bg-raised">
      <div className="h-full bg-accent" style={{ width: `${of === 0 ? 0 : Math.round((100 * done) / of)}%` }} />
    </div>
  );
}
