import "server-only";
import { z } from "zod";
import type { Db } from "@/db/client";
import { statement } from "@/db/statement";
import { Draw } from "@/lib/environment/suite/draw";
import type { ModelSettings } from "@/lib/model/chat/settings";
import { resolvedSpec } from "@/lib/profile/roles/models";
import { UnknownRole } from "@/lib/profile/roles/unknown";
import { type RoleSpec, roleSpecSchema } from "@/lib/profile/settings";
import { plural } from "@/lib/text/format";
import { enqueue } from "./queue";

/** Which trajectories: some by id, those of a policy as their files name it, or all. Replaced readings are left out. */
const scope = z.union([
  z.object({ ids: z.array(z.number().int().positive()).min(1) }),
  z.object({ model: z.string() }),
  z.object({ all: z.literal(true) }),
]);
export type LocalizeScope = z.infer<typeof scope>;

/** A job of the kind localize. `localizer` is resolved: it says everything that decides the replies. */
export const localizeParams = z.object({
  scope,
  localizer: roleSpecSchema,
  /** Only so many of the trajectories, drawn by the seed; null: all of them. */
  sample: z.number().int().min(1).nullable().default(null),
  seed: z.number().int().min(0).default(1),
  /** Steps that are asked about at once; the endpoint's own limit holds beside it. */
  parallel: z.number().int().min(1).max(1024).default(16),
});
export type LocalizeParams = z.infer<typeof localizeParams>;

/** Ids of the trajectories of a job, in order. The same index gives the same list. */
export function trajectoriesOf(db: Db, { scope: which, sample, seed }: LocalizeParams): number[] {
  const ids = statement(
    db,
    `select id from trajectory where superseded_by is null and steps > 0
       and (@ids is null or id in (select value from json_each(@ids))) and (@model is null or model = @model) order by id`,
  ).all({
    ids: "ids" in which ? JSON.stringify(which.ids) : null,
    model: "model" in which ? which.model : null,
  }) as { id: number }[];
  const all = ids.map(({ id }) => id);
  if (sample === null || sample >= all.length) return all;
  return new Draw(`localize\0${seed}`)
    .shuffle(all)
    .slice(0, sample)
    .sort((a, b) => a - b);
}

/** There is nothing to localize. The message says why. */
export class NothingToLocalize extends Error {}

/**
 * Queues the localization of stored trajectories by a model (post hoc, without a teacher). Throws UnknownRole for models
 * that are not there, NothingToLocalize when no trajectory matches, ZodError for values that do not fit. `settings`: in
 * place of the settings file.
 */
export function enqueueLocalize(
  db: Db,
  given: Omit<z.input<typeof localizeParams>, "localizer"> & { localizer: RoleSpec; requestedBy: string },
  settings?: () => ModelSettings,
): { jobId: number; trajectories: number; steps: number } {
  const { requestedBy, localizer, ...rest } = given;
  if (localizer.use !== "model")
    throw new UnknownRole(
      `"${localizer.use}" is no model; name one of the model settings as model:NAME. The rules scan everything at import, and again with "misstep scan"`,
    );
  const params = localizeParams.parse({ ...rest, localizer: resolvedSpec(localizer, "localizer", settings) });
  const ids = trajectoriesOf(db, params);
  if (ids.length === 0) throw new NothingToLocalize("no trajectory with steps matches; see misstep list");
  const steps = statement(
    db,
    "select ifnull(sum(steps), 0) as n from trajectory where id in (select value from json_each(?))",
  ).get(JSON.stringify(ids)) as { n: number };
  const title = `Localize ${plural(ids.length, "trajectory", "trajectories")} with ${String(params.localizer.options.model)}`;
  return {
    jobId: enqueue(db, { kind: "localize", title, params, requestedBy }),
    trajectories: ids.length,
    steps: steps.n,
  };
}
