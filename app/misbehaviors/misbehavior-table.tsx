import Link from "next/link";
import { listHref } from "@/app/trajectories/search-params";
import { TableFrame, Td, Th } from "@/components/ui/table";
import type { MisbehaviorOverview, TypeCounts } from "@/db/queries/misbehaviors";
import { formatCount, formatShare } from "@/lib/text/format";

function Row({
  name,
  href,
  slug,
  counts,
  overview,
  strong,
}: {
  name: string;
  href: string | null;
  slug: string;
  counts: TypeCounts;
  overview: MisbehaviorOverview;
  strong?: boolean;
}) {
  const { all, corpus } = overview;
  return (
    <tr className={strong ? "bg-raised/50" : "hover:bg-raised/60"}>
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
        <Link
          href={listHref({ misbehavior: slug, group: "task" })}
          prefetch={false}
          className="text-accent hover:underline"
        >
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

/** Shares and coverage of each misbehavior; every count leads to its rows. */
export function MisbehaviorTable({ overview }: { overview: MisbehaviorOverview }) {
  return (
    <TableFrame label="Misbehaviors">
      <thead>
        <tr>
          <Th>Misbehavior</Th>
          <Th className="text-right">Error steps</Th>
          <Th className="text-right">Share of error steps</Th>
          <Th className="text-right">Environments it occurs in</Th>
          <Th className="text-right">Trajectories</Th>
        </tr>
      </thead>
      <tbody>
        {overview.rows.map((m) => (
          <Row
            key={m.slug}
            name={m.name}
            href={`/misbehaviors/${m.slug}`}
            slug={m.slug}
            counts={m}
            overview={overview}
          />
        ))}
        <Row name="At least one of these" href={null} slug="named" counts={overview.named} overview={overview} strong />
        <Row
          name="Unlabelled error steps"
          href="/misbehaviors/unlabelled"
          slug="unlabelled"
          counts={overview.unlabelled}
          overview={overview}
          strong
        />
        <Row name="All error steps" href={null} slug="any" counts={overview.all} overview={overview} strong />
      </tbody>
    </TableFrame>
  );
}
