import "server-only";
import type { Db } from "@/db/client";
import { type StepBody, unpack } from "@/db/codec";
import { indexOf, SPAN, trajectoryOf } from "@/db/ids";
import { all } from "@/db/queries/prepared";
import type { MisbehaviorSlug } from "@/lib/profile/misbehaviors";
import type { Example } from "./types";

type Said = { stepId: number; kind: string; reason: string | null; seen: string | null };

/** Who is heard first when several localizers called a step bad: the one that says most. */
const ORDER = ["model", "person", "rule", "dataset"];

function grouped<T extends { stepId: number }>(rows: readonly T[]): Map<number, T[]> {
  const out = new Map<number, T[]>();
  for (const row of rows) {
    const list = out.get(row.stepId);
    if (list) list.push(row);
    else out.set(row.stepId, [row]);
  }
  return out;
}

/** The command of each step, from the packed texts; null where there is none. */
function commandsOf(db: Db, ids: readonly number[]): Map<number, string | null> {
  const places = all<{ id: number; chunk: number; first: number; data: Buffer }>(
    db,
    `select s.id, s.chunk, c.first, c.data from step s join chunk c on c.id = s.id / ${SPAN} * ${SPAN} + s.chunk
     where s.id in (select value from json_each(?)) order by s.id`,
    JSON.stringify(ids),
  );
  const commands = new Map<number, string | null>();
  let key = "";
  let bodies: StepBody[] = [];
  for (const { id, chunk, first, data } of places) {
    if (key !== `${trajectoryOf(id)}/${chunk}`) bodies = unpack<StepBody[]>(data);
    key = `${trajectoryOf(id)}/${chunk}`;
    commands.set(id, bodies[indexOf(id) - first]?.call?.command ?? null);
  }
  return commands;
}

/**
 * Error steps as an annotator sees them, in the order of `ids`. `texts` false leaves the commands out, for annotators that
 * do not read them. Ids of steps that are gone are left out.
 */
export function loadExamples(db: Db, ids: readonly number[], { texts = true } = {}): Example[] {
  const list = JSON.stringify(ids);
  const said = all<Said>(
    db,
    `select l.step_id as stepId, z.kind, l.reason, l.command_seen as seen from localization l join localizer z on z.id = l.localizer_id
     where l.step_id in (select value from json_each(?)) and l.current = 1 and l.verdict = 'bad' order by l.step_id, l.id`,
    list,
  );
  const byStep = grouped(said);
  const detected = all<{ stepId: number; slug: MisbehaviorSlug }>(
    db,
    `select distinct l.step_id as stepId, e.slug from label l join error_type e on e.id = l.error_type_id
       join taxonomy x on x.id = e.taxonomy_id and x.origin = 'builtin'
     where l.step_id in (select value from json_each(?)) and l.current = 1 and l.value = 'yes' and l.source = 'rule' order by e.rank`,
    list,
  );
  const slugs = grouped(detected);
  const commands = texts ? commandsOf(db, ids) : new Map<number, string | null>();
  const known = new Set(
    all<{ id: number }>(
      db,
      "select step_id as id from error_step where step_id in (select value from json_each(?))",
      list,
    ).map((row) => row.id),
  );
  return ids
    .filter((id) => known.has(id))
    .map((id) => {
      const heard = (byStep.get(id) ?? []).toSorted((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind));
      const reasons = [...new Set(heard.map((h) => h.reason).filter((r) => r !== null && r !== ""))];
      return {
        id,
        command: commands.get(id) ?? null,
        commandSeen: heard.find((h) => h.seen !== null)?.seen ?? null,
        reason: reasons.length > 0 ? reasons.join(" ") : null,
        detected: (slugs.get(id) ?? []).map((d) => d.slug),
      };
    });
}

/** The steps whose examples are quickest to read, `count` of them: shortest command and reason, then lowest id. */
export function shortest(examples: readonly Example[], count: number): Example[] {
  const length = (e: Example) => (e.command ?? "").length + (e.reason ?? "").length;
  return examples.toSorted((a, b) => length(a) - length(b) || a.id - b.id).slice(0, count);
}
