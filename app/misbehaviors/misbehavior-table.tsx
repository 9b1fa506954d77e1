import { Dumbbell } from "lucide-react";
import Link from "next/link";
import { listHref } from "@/app/trajectories/search-params";
import { Button } from "@/components/ui/button";
import { TableFrame, Td, Th } from "@/components/ui/table";
import { Term } from "@/components/ui/term";
import type { MisbehaviorOverview, TypeCounts } from "@/db/queries/misbehaviors";
import { underTaxonomy } from "@/db/queries/trajectory-filters";
import { formatCount, formatShare } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";
import { under } from "./shown";

function Row({
  name,
  href,
  slug,
  counts,
  overview,
  strong,
  choice,
}: {
  name: string;
  href: string | null;
  slug: string;
  counts: TypeCounts;
  overview: MisbehaviorOverview;
  strong?: boolean;
  /** Value of its checkbox; without it the row cannot be chosen. */
  choice?: string;
}) {
  const { all, corpus } = overview;
  return (
    <tr className={strong ? "bg-raised/50" : "hover:bg-raised/60"}>
      <Td className="w-6">
        {choice === undefined ? null : (
          <input
            type="checkbox"
            name="misbehavior"
            value={choice}
            aria-label={`Choose ${name}`}
            className="block size-4 accent-accent"
          />
        )}
      </Td>
      <Td className="min-w-44">
        {href ? (
          <Link href={href} className="text-accent hover:underline">
            {name}
          </Link>
        ) : (
          name
        )}
      </Td>
      <Td className="text-right">
        {href ? (
          <Link href={href} className="text-accent hover:underline">
            {formatCount(counts.errorSteps)}
          </Link>
        ) : (
          formatCount(counts.errorSteps)
        )}
      </Td>
      <Td className="text-right" title={`${counts.errorSteps} of ${all.errorSteps} error steps`}>
        {formatShare(counts.errorSteps, all.errorSteps)}
      </Td>
      <Td className="text-right" title={`${counts.environments} of ${corpus.environments} environments`}>
        <Link href={listHref({ misbehavior: slug, group: "task" })} prefetch={false} className="text-accent underline">
          {formatCount(counts.environments)}
        </Link>{" "}
        <span className="text-muted">({formatShare(counts.environments, corpus.environments)})</span>
      </Td>
      <Td className="text-right">
        <Link href={listHref({ misbehavior: slug })} className="text-accent hover:underline">
          {formatCount(counts.trajectories)}
        </Link>
      </Td>
    </tr>
  );
}

/** Shares and coverage of each misbehavior; every count leads to its rows, and chosen ones to a training. `linked`: the version that links name. */
export function MisbehaviorTable({ overview, linked }: { overview: MisbehaviorOverview; linked: number | null }) {
  return (
    <form action="/train" className="flex flex-col gap-2">
      <TableFrame label="Misbehaviors">
        <thead>
          <tr>
            <Th>
              <span className="sr-only">Choose</span>
            </Th>
            <Th>Misbehavior</Th>
            <Th className="text-right">
              Error steps <Term name="error step" />
            </Th>
            <Th className="text-right">Share of error steps</Th>
            <Th className="text-right">Environments it occurs in</Th>
            <Th className="text-right">Trajectories</Th>
          </tr>
        </thead>
        <tbody>
          {overview.rows.map((m) => (
            <Row
              key={m.slug}
              name={visible(m.name)}
              href={under(`/misbehaviors/${m.slug}`, linked)}
              slug={underTaxonomy(m.slug, linked)}
              counts={m}
              overview={overview}
              choice={m.slug}
            />
          ))}
          <Row
            name="At least one of these"
            href={null}
            slug={underTaxonomy("named", linked)}
            counts={overview.named}
            overview={overview}
            strong
          />
          <Row
            name="Unlabelled error steps"
            href={under("/misbehaviors/unlabelled", linked)}
            slug={underTaxonomy("unlabelled", linked)}
            counts={overview.unlabelled}
            overview={overview}
            strong
          />
          {overview.unseen > 0 ? (
            <tr className="bg-raised/50">
              <Td />
              <Td className="min-w-44">Without an answer under this version</Td>
              <Td className="text-right">{formatCount(overview.unseen)}</Td>
              <Td className="text-right">{formatShare(overview.unseen, overview.all.errorSteps)}</Td>
              <Td className="text-muted" colSpan={2}>
                not looked at, failed or unreadable: neither labelled nor unlabelled
              </Td>
            </tr>
          ) : null}
          <Row name="All error steps" href={null} slug="any" counts={overview.all} overview={overview} strong />
        </tbody>
      </TableFrame>
      <p className="flex flex-wrap items-center gap-2 text-sm text-muted">
        <Button type="submit" size="sm">
          <Dumbbell aria-hidden /> Train away
        </Button>
        what is chosen above; nothing is queued before you have seen the settings.
      </p>
    </form>
  );
}
