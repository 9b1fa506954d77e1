import Link from "next/link";
import { settleHref } from "@/app/review/[id]/settle/search-params";
import { Badge } from "@/components/ui/badge";
import type { SettledOf } from "@/db/queries/reviewSubjects";
import { saidText } from "@/lib/review/names";
import { formatTime } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";

const TONES: Record<string, "good" | "bad"> = { good: "good", bad: "bad" };

/** What people settled of the prefix as a training example. */
export function Reviews({ rows }: { rows: SettledOf[] }) {
  if (rows.length === 0) return null;
  return (
    <section aria-label="Settled by people" className="flex flex-col gap-1 rounded-lg border bg-surface p-3 text-sm">
      {rows.map((row) => (
        <p key={`${row.queueId}`} className="flex flex-wrap items-center gap-2">
          <Badge tone={TONES[row.verdict] ?? "neutral"}>{saidText({ verdict: row.verdict, types: [] }, {})}</Badge>
          <span>
            settled{row.by === null ? "" : ` by ${visible(row.by)}`} on {formatTime(row.createdAt)} in{" "}
            <Link
              href={settleHref(row.queueId, { show: "settled", item: row.position })}
              className="foreign text-accent hover:underline"
            >
              {visible(row.queue)}
            </Link>
          </span>
          {row.comment === null ? null : <span className="foreign text-muted">{visible(row.comment)}</span>}
        </p>
      ))}
    </section>
  );
}
