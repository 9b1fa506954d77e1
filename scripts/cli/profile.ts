import { Command, Option } from "commander";
import { ZodError } from "zod";
import type { Db } from "@/db/client";
import { confusion } from "@/db/queries/confusion";
import { type ProfileSummary, profileSummary } from "@/db/queries/profiles";
import type { Place } from "@/lib/jobs/place/places";
import { enqueueProfile } from "@/lib/jobs/profileJob";
import { CATCH_POLICY, policySpec, roleSpec, UnknownRole } from "@/lib/profile/roles/registry";
import {
  DEFAULT_PARALLEL,
  PRESET_NAMES,
  PROFILE_MODES,
  type PresetName,
  type ProfileMode,
} from "@/lib/profile/settings";
import { formatCount, formatDuration, plural } from "@/lib/text/format";
import { confusionLines, recalls } from "./confusion";
import { type OnOption, onOption, placed, placeOf } from "./on";
import { forTerminal, issuesText, type JsonOption, openIndex, parseId, print, UsageError } from "./output";
import { whole } from "./prefix";
import { indexTexts, seeThrough } from "./runJob";

interface ProfileOptions extends JsonOption, OnOption {
  suite: string;
  part: "profile" | "heldout";
  environments: number;
  rollouts: number;
  seed: number;
  policy?: string;
  parallel: number;
  mode: ProfileMode;
  localizer: string;
  alongside: string[];
  teacher: string;
  steps?: number;
  preset?: PresetName;
}

/** "12 (34%)"; nothing is a share of none. */
export const share = (n: number, of: number): string =>
  of === 0 ? formatCount(n) : `${formatCount(n)} (${((100 * n) / of).toFixed(1)}%)`;

function lines(s: ProfileSummary): string[] {
  const ended = s.finished + s.discarded + s.void;
  const took = s.startedAt !== null && s.finishedAt !== null ? ` in ${formatDuration(s.finishedAt - s.startedAt)}` : "";
  const tries = s.accepted.map((a) => `${formatCount(a.corrections)} at try ${a.attempt}`).join(", ");
  return [
    `profile ${s.id}: ${s.name}`,
    `${formatCount(ended)} of ${plural(s.planned, "rollout")} in ${plural(s.environments, "environment")}${took}; job ${s.jobId} ${s.jobStatus ?? "gone"}`,
    `  finished    ${share(s.finished, ended)}, submitted ${share(s.submitted, s.finished)}`,
    `  discarded   ${share(s.discarded, ended)}`,
    `  void        ${share(s.void, ended)}`,
    ...s.voids.slice(0, 5).map((v) => `              ${formatCount(v.rollouts)}: ${v.reason}`),
    `  passed      ${share(s.passed, s.scored)} of ${formatCount(s.scored)} with an outcome`,
    `  steps       ${formatCount(s.steps)}, malformed ${share(s.formatErrors, s.steps)}${s.unjudged > 0 ? `, not judged ${share(s.unjudged, s.steps)}` : ""}`,
    `  error steps ${share(s.errorSteps, s.steps)}`,
    ...s.types.map(
      (t) =>
        `    ${t.slug.padEnd(20)} ${formatCount(t.errorSteps).padStart(6)} in ${plural(t.rollouts, "rollout")}, ${plural(t.environments, "environment")}`,
    ),
    ...(s.untyped > 0 ? [`    ${"no type".padEnd(20)} ${formatCount(s.untyped).padStart(6)}`] : []),
    ...(s.mode === "profile"
      ? [`  corrections ${tries || "none accepted"}; none accepted for ${plural(s.uncorrected, "step")}`]
      : []),
  ];
}

export function summaryOf(db: Db, id: number): ProfileSummary {
  const summary = profileSummary(db, id);
  if (!summary) throw new UsageError(`there is no profile ${id}`);
  return summary;
}

function report(db: Db, options: JsonOption, id: number): void {
  const summary = summaryOf(db, id);
  const table = summary.mode === "catch" ? confusion(db, id) : null;
  const value = table ? { ...summary, confusion: table, recall: recalls(table) } : summary;
  print(options, value, () => [...lines(summary), ...(table ? ["", ...confusionLines(table)] : [])]);
}

function showProfile(): Command {
  return new Command("show")
    .description("print what a profile came to")
    .argument("<id>", "profile id")
    .option("--json", "print JSON")
    .action((given: string, options: JsonOption) => report(openIndex(), options, parseId(given)));
}

/** misstep profile */
export function profileCommand(): Command {
  return new Command("profile")
    .description(
      "let a policy act in sandboxes under a localizer and a teacher, and keep its error steps with their corrections",
    )
    .addOption(new Option("--suite <suite>", "which environments").choices(["tiny"]).default("tiny"))
    .addOption(
      new Option("--part <part>", "of the suite: training starts in profile only, heldout is for measuring")
        .choices(["profile", "heldout"])
        .default("profile"),
    )
    .option("--environments <n>", "how many of them", whole(1, 100_000), 200)
    .option("--rollouts <n>", "rollouts an environment", whole(1, 1000), 2)
    .option("--seed <n>", "everything drawn comes from it", whole(0, Number.MAX_SAFE_INTEGER), 1)
    .option(
      "--policy <name>",
      "a checkpoint, a scripted policy, or chat:NAME for a model of the settings (chat:NAME#fenced, chat:NAME#qwen3_xml in other dialects)",
      undefined,
    )
    .option("--parallel <n>", "rollouts at once", whole(1, 1024), DEFAULT_PARALLEL)
    .addOption(
      new Option("--mode <mode>", "profile: the teacher corrects; plain: nobody does; catch: errors are injected")
        .choices(PROFILE_MODES)
        .default("profile"),
    )
    .option("--localizer <name>", "who judges steps: rules, or model:NAME", "rules")
    .option(
      "--alongside <name>",
      "another localizer that judges the same steps and changes nothing (again for more)",
      (name: string, names: string[]) => [...names, name],
      [],
    )
    .option("--teacher <name>", "who corrects them: expert (knows the tiny suite), or model:NAME", "expert")
    .addOption(
      new Option("--preset <name>", "limits and what happens at them, as recipe and harnesses have it").choices(
        PRESET_NAMES,
      ),
    )
    .option("--steps <n>", "steps of a rollout at most", whole(1, 10_000))
    .addOption(onOption())
    .option("--json", "print JSON")
    .enablePositionalOptions()
    .addCommand(showProfile().exitOverride())
    .action(async (options: ProfileOptions) => {
      const db = openIndex();
      const policy = options.policy ?? (options.mode === "catch" ? CATCH_POLICY : DEFAULT_POLICY);
      const id = await runProfile(
        db,
        {
          mode: options.mode,
          environments: { suite: "tiny", part: options.part, count: options.environments },
          rollouts: options.rollouts,
          policy: usable(() => policySpec(policy)),
          localizer: roleSpec(options.localizer),
          alongside: options.alongside.map(roleSpec),
          teacher: roleSpec(options.teacher),
          preset: options.preset ?? null,
          stepLimit: options.steps ?? null,
          seed: options.seed,
          parallel: options.parallel,
        },
        placeOf(options),
      );
      await indexTexts(db);
      report(db, options, id);
    });
}

/** Policy when none is named: the checkpoint that ships with the product. */
export const DEFAULT_POLICY = "tiny-base";

/** Roles that do not exist, and values that do not fit, are faults of the call. */
export function usable<T>(choose: () => T): T {
  try {
    return choose();
  } catch (error) {
    if (error instanceof UnknownRole) throw new UsageError(error.message);
    if (error instanceof ZodError) throw new UsageError(issuesText(error));
    throw error;
  }
}

/** Queues a profile and sees it through. Exit code 1 when it did not end as it should. */
export async function runProfile(
  db: Db,
  settings: Parameters<typeof enqueueProfile>[1]["settings"],
  place: Place = "local",
): Promise<number> {
  const queued = usable(() => placed(() => enqueueProfile(db, { settings, place, requestedBy: "cli" })));
  const job = await seeThrough(db, queued.jobId);
  if (job.status !== "done") process.exitCode = 1;
  if (job.error !== null) process.stderr.write(`misstep: ${forTerminal(job.error)}\n`);
  return queued.profileId;
}
