import { Command } from "commander";
import type { Rate } from "@/lib/evaluate/profileRates";
import { storeEvaluation } from "@/lib/evaluate/storeEvaluation";
import { policySpec } from "@/lib/profile/roles/registry";
import { DEFAULT_PARALLEL } from "@/lib/profile/settings";
import { formatDuration } from "@/lib/text/format";
import { rate } from "./confusion";
import { type JsonOption, openIndex, print } from "./output";
import { whole } from "./prefix";
import { DEFAULT_POLICY, runProfile, summaryOf, usable } from "./profile";
import { indexTexts } from "./runJob";

interface EvaluateOptions extends JsonOption {
  policy: string;
  environments: number;
  rollouts: number;
  seed: number;
  parallel: number;
}

const METHODS: Record<Rate["method"], string> = {
  wilson: "Wilson over rollouts, one an environment",
  "cluster-bootstrap": "bootstrap over environments",
  "wilson-environments": "Wilson over environments where none or all count",
};

const line = (r: Rate): string =>
  `  ${r.metric.padEnd(34)} ${`${r.numerator} of ${r.denominator}`.padStart(14)} ${r.per}s  ${rate(r.numerator, r.denominator, r.interval)}`;

/** misstep evaluate */
export function evaluateCommand(): Command {
  return new Command("evaluate")
    .description(
      "measure a policy on environments it never learned from: outcome, misbehaviors, malformed replies, each with a 95% interval",
    )
    .option("--policy <name>", "a checkpoint, or a scripted policy", DEFAULT_POLICY)
    .option("--environments <n>", "held-out environments", whole(1, 100_000), 300)
    .option("--rollouts <n>", "rollouts an environment", whole(1, 1000), 1)
    .option("--seed <n>", "everything drawn comes from it", whole(0, Number.MAX_SAFE_INTEGER), 1)
    .option("--parallel <n>", "rollouts at once", whole(1, 1024), DEFAULT_PARALLEL)
    .option("--json", "print JSON")
    .action(async (options: EvaluateOptions) => {
      const db = openIndex();
      const id = await runProfile(db, {
        mode: "plain",
        environments: { suite: "tiny", part: "heldout", count: options.environments },
        rollouts: options.rollouts,
        policy: usable(() => policySpec(options.policy)),
        teacher: null,
        seed: options.seed,
        parallel: options.parallel,
      });
      const s = summaryOf(db, id);
      const evaluation = storeEvaluation(db, id);
      await indexTexts(db);
      const took =
        s.startedAt !== null && s.finishedAt !== null ? `, ${formatDuration(s.finishedAt - s.startedAt)}` : "";
      print(options, { profile: id, ...evaluation, status: s.jobStatus }, () => [
        `${s.checkpoint}: ${s.finished} of ${s.planned} rollouts in ${s.environments} held-out environments (evaluation ${evaluation.evaluationId}, profile ${id}${took}); void ${evaluation.void}, in none of the rates`,
        ...evaluation.rates.map(line),
        `  95% intervals: ${[...new Set(evaluation.rates.map((r) => METHODS[r.method]))].join("; ")}`,
        "  a misbehavior's rate counts the rollouts of families in which it can occur",
      ]);
    });
}
