import "server-only";
import type { Db } from "@/db/client";
import { indexOf, trajectoryOf } from "@/db/ids";
import { subjectPlace } from "@/db/queries/reviewSubjects";
import { statement } from "@/db/statement";
import { behaviorProtocol } from "@/lib/evaluate/behavior/settings";
import { windowReader } from "@/lib/evaluate/behavior/window";
import { prefixText, stepText } from "@/lib/profile/roles/transcript";
import { loadSteps } from "@/lib/trajectory/load";

const NOWHERE = { id: 0, name: "", family: null, seed: null, instruction: "" };

const before = (db: Db, step: number): string =>
  prefixText({ environment: NOWHERE, steps: loadSteps(db, trajectoryOf(step)).slice(0, indexOf(step)) });

/** A step with everything before it. */
function stepBlock(db: Db, step: number): string {
  const steps = loadSteps(db, trajectoryOf(step));
  const own = steps[indexOf(step)];
  const number = steps.slice(0, indexOf(step)).filter((s) => s.kind === "agent" && s.note !== "rejected").length + 1;
  return `${before(db, step)}\n\n--- asked about ---\n\n${own ? stepText(own, number) : "(the step is gone)"}`;
}

function windowBlock(db: Db, sample: number): string {
  const row = statement(
    db,
    `select s.id, s.prefix_id as prefixId, s.error_type_id as errorTypeId, s.trajectory_id as trajectoryId, v.protocol
     from behavior_sample s join evaluation v on v.id = s.evaluation_id where s.id = ?`,
  ).get(sample) as
    | { id: number; prefixId: number; errorTypeId: number; trajectoryId: number | null; protocol: string }
    | undefined;
  if (!row || row.trajectoryId === null) return "(the window is gone)";
  const read = windowReader(db, behaviorProtocol.parse(JSON.parse(row.protocol)).window);
  const { prefix, steps } = read({ ...row, trajectoryId: row.trajectoryId });
  return `${prefixText(prefix)}\n\n--- asked about ---\n\n${steps.map((step, i) => stepText(step, i + 1)).join("\n\n")}`;
}

/** A prefix with the step it ends before. */
function prefixBlock(db: Db, prefix: number): string {
  const step = db.$client.prepare("select step_id from prefix where id = ?").pluck().get(prefix) as number | undefined;
  return step === undefined ? "(the prefix is gone)" : stepBlock(db, step);
}

/** An item as text, for people who read it elsewhere: nothing in it says what a model or anybody thinks of it. */
export function itemText(db: Db, question: string, subject: number): { about: string | null; text: string } {
  const about = subjectPlace(db, question, subject)?.about ?? null;
  if (question === "window") return { about, text: windowBlock(db, subject) };
  if (question === "prefix") return { about, text: prefixBlock(db, subject) };
  return { about: null, text: stepBlock(db, subject) };
}
