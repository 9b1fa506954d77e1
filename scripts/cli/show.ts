import { Command } from "commander";
import { type Flag, flagsOf } from "@/db/queries/reader-flags";
import { trajectoryHead } from "@/db/queries/reader-head";
import { loadTrajectory } from "@/lib/trajectory/load";
import { isNumbered } from "@/lib/trajectory/prepare";
import type { Step, Trajectory } from "@/lib/trajectory/types";
import { type JsonOption, openIndex, parseId, print, UsageError } from "./output";

/** Control characters made visible: trajectories are hostile text, and this goes to somebody's terminal. */
export const visible = (text: string): string =>
  text.replace(/[^\P{C}\n\t]/gu, (c) => `\\u{${(c.codePointAt(0) ?? 0).toString(16)}}`);

const indent = (text: string): string =>
  visible(text)
    .split("\n")
    .map((l) => `    ${l}`)
    .join("\n");

function stepLines(step: Step, number: number | null, flags: Flag[]): string[] {
  const lines = [
    number === null
      ? `-- ${step.kind}${step.note ? ` (${step.note})` : ""}`
      : `-- step ${number}${step.note === "rejected" ? " (stopped before it ran)" : ""}`,
  ];
  if (step.thinking) lines.push("  thinking:", indent(step.thinking));
  if (step.message) lines.push(indent(step.message));
  if (step.call)
    lines.push(`  $ ${visible(step.call.command ?? `${step.call.name} ${JSON.stringify(step.call.arguments)}`)}`);
  for (const o of step.observations)
    lines.push(indent(o.content ?? ""), ...(o.exitCode === null ? [] : [`  exit code ${o.exitCode}`]));
  for (const flag of flags) {
    for (const reason of flag.reasons) lines.push(`  ! ${reason.reason ?? "flagged without a reason"}`);
  }
  return lines;
}

function numbered(trajectory: Trajectory): { step: Step; index: number; number: number | null }[] {
  let n = 0;
  return trajectory.steps.map((step, index) => ({
    step,
    index,
    number: isNumbered(step) ? ++n : null,
  }));
}

/** misstep show ID */
export function showCommand(): Command {
  return new Command("show")
    .description("print a trajectory, or one step of it, with flags and reasons")
    .argument("<id>", "trajectory id")
    .option("--step <n>", "only this step")
    .option("--json", "print JSON")
    .action((given: string, options: JsonOption & { step?: string }) => {
      const db = openIndex();
      const id = parseId(given);
      const head = trajectoryHead(db, id);
      const trajectory = loadTrajectory(db, id);
      if (!head || !trajectory) throw new UsageError(`there is no trajectory ${id}; see misstep list`);
      const wanted = options.step === undefined ? null : parseId(options.step);
      const flags = flagsOf(db, id);
      const entries = numbered(trajectory).filter((e) => wanted === null || e.number === wanted);
      if (entries.length === 0 && wanted !== null)
        throw new UsageError(`trajectory ${id} has ${head.steps} steps, no step ${wanted}`);
      const { steps: _steps, ...rest } = trajectory;
      print(
        options,
        { id, ...rest, flags, steps: entries.map(({ step, ...place }) => ({ ...place, ...step })) },
        () => [
          `${id}  ${visible(trajectory.task ?? trajectory.name ?? "no task stated")}  ${visible(trajectory.model ?? "no model stated")}  ${trajectory.outcome}`,
          ...entries.flatMap((e) =>
            stepLines(
              e.step,
              e.number,
              flags.filter((f) => f.entry === e.index),
            ),
          ),
        ],
      );
    });
}
