import { PAPER } from "@/lib/evaluate/paper/published";
import { PHASE_NAMES } from "@/lib/study/phaseNames";
import { PHASES, type Phase } from "@/lib/study/state";
import { plural } from "@/lib/text/format";
import type { Context } from "./context";
import { LINKS } from "./links";
import type { FunnelStage, PhaseReport } from "./types";

const sum = (xs: readonly number[]) => xs.reduce((a, b) => a + b, 0);

/** What a phase made, with where it can be seen; null: nothing yet. */
function madeBy(c: Context, phase: Phase): { made: string; href: string | null } | null {
  const { made } = c.state;
  const say = (text: string, href: string | null = null) => ({ made: text, href });
  switch (phase) {
    case "profile":
    case "heldout": {
      const p = c[phase];
      return (
        p &&
        say(
          `${plural(p.finished + p.discarded, "rollout")} in ${plural(p.environments, "environment")}, ${plural(p.errorSteps, "error step")}${p.void > 0 ? `, ${p.void} void` : ""}`,
          LINKS.profile(p.id),
        )
      );
    }
    case "taxonomy":
      return made.taxonomy ? say("error types of the profile's error steps", "/misbehaviors") : null;
    case "prefixes":
      return c.drawn.length === 0
        ? null
        : say(`${plural(sum(c.drawn.map((d) => d.drawn)), "prefix", "prefixes")} drawn`, "/prefixes");
    case "rerun":
      return c.ended.has("rerun")
        ? say(`${sum(c.drawn.map((d) => d.kept))} of ${sum(c.drawn.map((d) => d.drawn))} kept`, "/prefixes")
        : null;
    case "judge":
      return made.judge ? say(`judge “${made.judge.name}” learned`, LINKS.measurement(made.judge.evaluationId)) : null;
    case "train":
      return made.train ? say(`${plural(made.train.runs.length, "training")}`, "/train") : null;
    case "select":
      return made.select
        ? say(
            `${made.select.chosen.filter((x) => x.checkpointId !== null).length} of ${plural(made.select.chosen.length, "checkpoint")} chosen`,
          )
        : null;
    case "scores":
      return c.ended.has("scores") ? say(`${plural(c.attempts.size, "checkpoint")} scored`, "/evaluate") : null;
    case "rates":
      return c.measured
        ? say(
            `${plural(c.measured.checkpoints.length, "checkpoint")}, ${plural(c.measured.judges.length, "judge")}`,
            LINKS.measurement(c.measured.id),
          )
        : null;
  }
}

export const phaseReports = (c: Context): PhaseReport[] =>
  PHASES.map((phase) => {
    const times = c.state.times[phase];
    const made = madeBy(c, phase);
    return {
      phase,
      title: PHASE_NAMES[phase],
      startedAt: times?.startedAt ?? null,
      finishedAt: times?.finishedAt ?? null,
      ms: times?.ms ?? null,
      made: made?.made ?? null,
      href: made?.href ?? null,
    };
  });

/** From environments to prefixes that training starts from, beside the paper's (section 4.1). */
export function funnelOf(c: Context): FunnelStage[] {
  const p = PAPER.prefix_funnel;
  const training = c.drawn.find((d) => d.split === "training");
  const stage = (
    name: string,
    value: number | null | undefined,
    published: number | null,
    note: string,
    href: string,
  ) => ({
    name,
    value: value ?? null,
    published,
    note,
    href,
  });
  const profile = c.profile ? LINKS.profile(c.profile.id) : "/profiles";
  const errorSteps = c.errors.length > 0 ? sum(c.errors.map((e) => e.errorSteps)) : c.profile?.errorSteps;
  const reran = c.ended.has("rerun");
  return [
    stage("Environments", c.profile?.environments, p.environments_profiled, "profiled", profile),
    stage(
      "Rollouts",
      c.profile ? c.profile.finished + c.profile.discarded : null,
      p.environments_profiled * p.rollout_seeds,
      `${c.state.design.profile.rollouts} an environment`,
      profile,
    ),
    stage("Error steps", errorSteps, p.error_steps, "flagged by the localizer", profile),
    stage(
      "Typed",
      c.errors.length > 0 ? sum(c.errors.map((e) => e.named)) : null,
      Math.round((p.error_steps * PAPER.misbehaviors.together.share_of_error_steps) / 100),
      "of a named misbehavior",
      "/misbehaviors",
    ),
    stage("Prefixes", training?.drawn, p.prefixes_sampled, "drawn for training", "/prefixes"),
    stage("Kept", reran ? training?.kept : null, p.prefixes_after_rerun, "by the rerun check", "/prefixes?status=kept"),
    stage(
      "Trained in",
      reran ? training?.keptEnvironments : null,
      p.training_environments,
      "environments of kept prefixes",
      "/train",
    ),
  ];
}
