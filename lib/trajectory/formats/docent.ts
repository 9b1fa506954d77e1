import { emptyTrajectory } from "@/lib/trajectory/build";
import { setRewards } from "@/lib/trajectory/outcome";
import type { Json, JsonObject, Trajectory } from "@/lib/trajectory/types";
import { arrayAt, instantOf, isArray, isObject, nameAt, objectAt, without } from "@/lib/trajectory/value";
import { Conversation } from "./conversation";
import { type DocumentFormat, given, type Parsed, refused } from "./module";

/** Docent's AgentRun: one trajectory a transcript. Also a list of runs. */
export const docent: DocumentFormat = {
  id: "docent",
  detect: (value) => isRun(isArray(value) ? value[0] : value),
  *parse(value) {
    const runs = isArray(value) ? value : [value];
    for (const [at, run] of runs.entries()) {
      if (isObject(run) && isRun(run)) yield* readRun(run, isArray(value) ? `${nameAt(run, "id") ?? `/${at}`}/` : "");
      else yield refused(`/${at}`, "this entry is no agent run");
    }
  },
};

function isRun(value: Json | undefined): boolean {
  const transcripts = transcriptsOf(value);
  return transcripts.length > 0 && transcripts.slice(0, 3).every(([, item]) => arrayAt(item, "messages") !== null);
}

/** A list; in older files an object by name. */
function transcriptsOf(run: Json | undefined): [string, Json][] {
  if (!isObject(run)) return [];
  const { transcripts } = run;
  if (isArray(transcripts)) return transcripts.map((item, at) => [nameAt(item, "id") ?? String(at), item]);
  return isObject(transcripts) ? Object.entries(transcripts) : [];
}

function* readRun(run: JsonObject, prefix: string): Generator<Parsed> {
  const transcripts = transcriptsOf(run);
  const metadata = objectAt(run, "metadata") ?? {};
  for (const [id, item] of transcripts) {
    if (!isObject(item)) {
      yield refused(`/transcripts/${id}`, "the transcript is no object");
      continue;
    }
    const trajectory: Trajectory = emptyTrajectory("docent");
    trajectory.key = transcripts.length > 1 || prefix !== "" ? `${prefix}${id}` : "";
    trajectory.name = nameAt(item, "name") ?? nameAt(run, "name") ?? nameAt(run, "id");
    trajectory.task = nameAt(metadata, "task_id") ?? nameAt(metadata, "task") ?? nameAt(metadata, "sample_id");
    trajectory.model = nameAt(metadata, "model") ?? nameAt(objectAt(metadata, "model"), "name");
    trajectory.startedAt = instantOf(item.created_at);
    setRewards(trajectory, objectAt(metadata, "scores") ?? {}, "/metadata/scores");
    const conversation = new Conversation({ where: `/transcripts/${id}/messages` }).readAll(
      arrayAt(item, "messages") ?? [],
    );
    trajectory.steps = conversation.steps;
    trajectory.warnings.push(...conversation.warnings);
    trajectory.source = { run: without(run, "transcripts"), transcript: without(item, "messages") };
    yield given(trajectory, [JSON.stringify(item), JSON.stringify(metadata)]);
  }
}
