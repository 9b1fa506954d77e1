import "server-only";
import type { Db } from "@/db/client";
import { all } from "@/db/queries/prepared";
import { readSettings } from "@/lib/model/chat/settings";
import { visible } from "@/lib/text/glyphs";
import type { StepsChoice } from "./build-form";
import type { AnnotatorChoice } from "./labels-form";

/** Who can annotate here: the rules always, models as far as the settings have any. */
export function annotatorChoices(): AnnotatorChoice[] {
  const rules = { value: "rules", label: "Rules (the eight detectors)" };
  try {
    const settings = readSettings();
    const role = settings.roles.annotator;
    return [
      rules,
      ...(role ? [{ value: "model", label: `Model of the annotator role (${visible(role.model)})` }] : []),
      ...settings.models.map((m) => ({ value: m.name, label: `Model ${visible(m.name)}` })),
    ];
  } catch {
    // Settings that cannot be read are said on the settings page; the rules need none.
    return [rules];
  }
}

const MOST = 30;

/** Which error steps a build can look at. */
export const stepsChoices = (db: Db): StepsChoice[] => [
  { value: "all", label: "All" },
  ...all<{ id: number; name: string }>(db, "select id, name from profile order by id desc limit ?", MOST).map((p) => ({
    value: `profile:${p.id}`,
    label: `Profile ${p.id}: ${visible(p.name)}`,
  })),
  ...all<{ id: number; name: string }>(
    db,
    `select c.id, c.name from checkpoint c join (select checkpoint_id, sum(error_steps) as n from type_count where scope = 0 group by 1) k
       on k.checkpoint_id = c.id and k.n > 0 order by k.n desc limit ?`,
    MOST,
  ).map((c) => ({ value: `checkpoint:${c.id}`, label: `Model ${visible(c.name)}` })),
];
