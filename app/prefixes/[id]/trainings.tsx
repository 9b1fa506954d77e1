import Link from "next/link";
import { listHref } from "@/app/trajectories/search-params";
import { TableFrame, Td, Th } from "@/components/ui/table";
import { Term } from "@/components/ui/term";
import type { PrefixUse } from "@/db/queries/trainings";
import { formatCount, formatMeanReward } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";
import { type Advice, adviceOn, LEAST_GROUPS } from "@/lib/train/advice";

const SENTENCES: Record<Advice, string> = {
  "too-few": `Drawn in fewer than ${LEAST_GROUPS} groups: nothing can be said of its use yet.`,
  useful: "Useful: its groups have spread often enough to be trained on.",
  "too-hard": "Too hard so far: most of its groups got no reward at all.",
  "too-easy": "Too easy: most of its groups were rewarded throughout, so nothing was left to learn.",
  "always-vetoed": "Always vetoed: rollouts solve the task, and the judge finds the misbehavior in all of them.",
  unreachable: "Not reached: most of its groups failed for want of a sandbox, or its outputs differed.",
};

const total = (uses: PrefixUse[], key: "groups" | "allFail" | "allPass" | "vetoed" | "infrastructure"): number =>
  uses.reduce((sum, use) => sum + use[key], 0);

const mean = (value: number | null) =>
  value === null ? <span className="text-muted">none</span> : formatMeanReward(value);

/** Trainings that started from the prefix, what it paid there, and whether it is worth keeping. */
export function Trainings({ uses }: { uses: PrefixUse[] }) {
  if (uses.length === 0) return null;
  const advice = adviceOn({
    groups: total(uses, "groups"),
    allFail: total(uses, "allFail"),
    allPass: total(uses, "allPass"),
    vetoed: total(uses, "vetoed"),
    infrastructure: total(uses, "infrastructure"),
  });
  return (
    <section aria-labelledby="trainings" className="flex flex-col gap-1.5">
      <h2 id="trainings" className="font-medium">
        Trainings from here
      </h2>
      <p className="text-sm">{SENTENCES[advice]}</p>
      <TableFrame label="Trainings from this prefix">
        <thead>
          <tr>
            <Th>Training</Th>
            <Th>Recipe</Th>
            <Th className="text-right">Groups</Th>
            <Th className="text-right" title="All failed, all rewarded, vetoed by the judge, infrastructure">
              Without spread <Term name="dead group" />
            </Th>
            <Th className="text-right">Rollouts</Th>
            <Th className="text-right">Reward</Th>
            <Th className="text-right" title="r_o">
              Outcome <Term name="outcome reward" />
            </Th>
            <Th className="text-right" title="r_e">
              Behavior <Term name="behavior reward" />
            </Th>
            <Th className="text-right">Steps</Th>
          </tr>
        </thead>
        <tbody>
          {uses.map((use) => {
            const dead = [
              [use.allFail, "failed"],
              [use.allPass, "rewarded"],
              [use.vetoed, "vetoed"],
              [use.infrastructure, "infrastructure"],
            ] as const;
            const some = dead.filter(([n]) => n > 0);
            return (
              <tr key={use.trainingId} className="hover:bg-raised/60">
                <Td className="min-w-36">
                  <Link
                    href={`/train/${use.trainingId}?step=${use.lastStep}`}
                    prefetch={false}
                    className="foreign text-accent hover:underline"
                  >
                    {visible(use.training)}
                  </Link>
                </Td>
                <Td className="foreign min-w-32">{visible(use.recipe)}</Td>
                <Td className="text-right">{formatCount(use.groups)}</Td>
                <Td className="text-right">
                  {some.length === 0 ? "0" : some.map(([n, what]) => `${formatCount(n)} ${what}`).join(", ")}
                </Td>
                <Td className="text-right whitespace-nowrap">
                  <Link
                    href={listHref({ training: use.trainingId })}
                    prefetch={false}
                    className="text-accent hover:underline"
                  >
                    {formatCount(use.rollouts)}
                  </Link>
                  {use.void > 0 ? <span className="text-xs text-muted"> {formatCount(use.void)} void</span> : null}
                </Td>
                <Td className="text-right">{mean(use.reward)}</Td>
                <Td className="text-right">{mean(use.outcomeReward)}</Td>
                <Td className="text-right">{mean(use.behaviorReward)}</Td>
                <Td className="text-right whitespace-nowrap">
                  {use.firstStep === use.lastStep
                    ? formatCount(use.firstStep)
                    : `${formatCount(use.firstStep)}–${formatCount(use.lastStep)}`}
                </Td>
              </tr>
            );
          })}
        </tbody>
      </TableFrame>
    </section>
  );
}
