import Link from "next/link";
import type { Db } from "@/db/client";
import { errorStepsBySource, type SaidBy as Source } from "@/db/queries/overview";
import { formatCount } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";

const nameOf = ({ kind, name }: Source): string =>
  kind === "rule"
    ? "the rules"
    : kind === "person"
      ? "people here"
      : kind === "dataset"
        ? `people, in ${visible(name)}`
        : visible(name);

/** Who calls the error steps wrong: rules, models, people here or of a data set. */
export async function SaidBy({ db }: { db: Db }) {
  // The page goes out first: this reads every verdict.
  await new Promise((resolve) => setImmediate(resolve));
  const sources = errorStepsBySource(db);
  if (sources.length === 0) return null;
  return (
    <span className="foreign">
      {sources.map((source, i) => (
        <span key={`${source.kind}/${source.name}`}>
          {i > 0 ? ", " : "by "}
          <Link href="/localizers" prefetch={false} className="text-accent hover:underline">
            {nameOf(source)}
          </Link>
          {sources.length > 1 ? ` ${formatCount(source.errorSteps)}` : ""}
        </span>
      ))}
      {sources.length > 1 ? "; a step may count for several" : ""}
    </span>
  );
}
