import Link from "next/link";
import { listHref } from "@/app/trajectories/search-params";
import { Term } from "@/components/ui/term";
import type { ProfileSummary } from "@/db/queries/profiles";
import { formatCount, formatRate, formatShare } from "@/lib/text/format";
import type { TermName } from "@/lib/text/glossary";
import { profileHref } from "./search-params";

interface Tile {
  name: string;
  /** The word of the method that it counts. */
  term?: TermName;
  value: string;
  note: string;
  href: string | null;
}

/** What a share of passed rollouts is of, where it is no score of the policy. */
const AIDED: Record<string, string> = {
  profile: ", those a teacher corrected included",
  catch: ", with errors injected",
};

/** The profile in numbers, each with what it is counted of. */
export function Tiles({ profile: p }: { profile: ProfileSummary }) {
  const ended = p.finished + p.discarded + p.void;
  const accepted = p.accepted.reduce((sum, one) => sum + one.corrections, 0);
  const tiles: Tile[] = [
    {
      name: "Rollouts",
      term: "rollout",
      value: formatCount(ended),
      note: `of ${formatCount(p.planned)} planned, in ${formatCount(p.environments)} environments`,
      href: listHref({ profile: p.id }),
    },
    {
      name: "Passed",
      value: formatShare(p.passed, p.scored),
      note: `${formatCount(p.passed)} of ${formatCount(p.scored)} with an outcome${AIDED[p.mode] ?? ""}`,
      href: listHref({ profile: p.id, outcome: ["passed"] }),
    },
    {
      name: "Steps proposed",
      value: formatCount(p.steps),
      note: `${formatCount(p.formatErrors)} not well-formed, ${formatShare(p.formatErrors, p.steps)}`,
      href: null,
    },
    {
      name: "Error steps",
      term: "error step",
      value: formatCount(p.errorSteps),
      note: `${formatRate(p.errorSteps, p.steps)} per 100 steps`,
      href: listHref({ profile: p.id, misbehavior: "any" }),
    },
    {
      name: "Corrected",
      value: formatCount(accepted),
      note: `${formatCount(p.corrections)} tries, ${formatCount(p.uncorrected)} steps without an accepted one`,
      href: null,
    },
    {
      name: "Discarded",
      value: formatCount(p.discarded),
      note: `${formatShare(p.discarded, ended)} of the rollouts that ended`,
      href: profileHref(p.id, { status: "discarded" }),
    },
    {
      name: "Void",
      value: formatCount(p.void),
      note: "infrastructure failed: no score, not 0",
      href: profileHref(p.id, { status: "void" }),
    },
  ];
  return (
    <ul
      aria-label="Summary"
      className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border bg-line sm:grid-cols-4 xl:grid-cols-7"
    >
      {tiles.map((tile) => {
        const body = (
          <>
            <span className="text-xs text-muted">{tile.name}</span>
            <span className="text-xl font-semibold tabular-nums">{tile.value}</span>
            <span className="text-xs text-pretty text-muted">{tile.note}</span>
          </>
        );
        return (
          <li key={tile.name} className="relative bg-surface last:col-span-2 xl:last:col-span-1">
            {tile.href ? (
              <Link href={tile.href} prefetch={false} className="flex h-full flex-col px-3 py-2 hover:bg-raised">
                {body}
              </Link>
            ) : (
              <div className="flex h-full flex-col px-3 py-2">{body}</div>
            )}
            {tile.term ? (
              <span className="absolute top-1 right-1">
                <Term name={tile.term} />
              </span>
            ) : null}
          </li>
        );
      })}
    </ul>
  );
}
