import type { Chip } from "@/components/data/chips";
import type { Facets } from "@/db/queries/facets";
import { statedName, visible } from "@/lib/text/glyphs";
import { type ListParams, listParams, type TextRange, WITH_STEPS, WITHOUT_STEPS } from "./search-params";
import type { useListParams } from "./use-list-params";

type Set = ReturnType<typeof useListParams>["set"];

const rangeText = ({ min, max }: TextRange): string =>
  max === "" ? `≥ ${min}` : min === "" ? `≤ ${max}` : `${min} – ${max}`;

const stepsText = (range: TextRange): string =>
  listParams.steps.eq(range, WITH_STEPS)
    ? "with steps"
    : listParams.steps.eq(range, WITHOUT_STEPS)
      ? "results without steps"
      : `steps ${rangeText(range)}`;

const REWARDED_TEXT = {
  paid: "with a reward",
  unpaid: "reward 0",
  lucky: "solved, but the misbehavior came back",
} as const;

/** The filters in force. */
export function chipsOf(params: ListParams, facets: Facets, set: Set): Chip[] {
  const first = { after: null, before: null };
  const chips: Chip[] = [];
  if (params.q) chips.push({ key: "q", text: `contains “${params.q}”`, remove: () => set({ q: null, ...first }) });
  for (const key of ["outcome", "task", "model", "format"] as const) {
    for (const value of params[key])
      chips.push({
        key: `${key}:${value}`,
        text: `${key}: ${statedName(value)}`,
        remove: () => set({ [key]: params[key].filter((v) => v !== value), ...first }),
      });
  }
  if (params.misbehavior) {
    const label = facets.misbehaviors.find((m) => m.value === params.misbehavior)?.label ?? params.misbehavior;
    chips.push({ key: "misbehavior", text: label, remove: () => set({ misbehavior: null, ...first }) });
  }
  for (const key of ["steps", "tokens", "cost", "started"] as const) {
    const range = params[key];
    const text = key === "steps" && range ? stepsText(range) : range ? `${key} ${rangeText(range)}` : "";
    if (range) chips.push({ key, text, remove: () => set({ [key]: null, ...first }) });
  }
  if (params.exception !== null)
    chips.push({
      key: "exception",
      text: params.exception ? "with exception" : "without exception",
      remove: () => set({ exception: null, ...first }),
    });
  if (params.unaided !== null)
    chips.push({
      key: "unaided",
      text: params.unaided ? "unaided rollouts" : "from a prefix or under a teacher",
      remove: () => set({ unaided: null, ...first }),
    });
  if (params.import !== null)
    chips.push({
      key: "import",
      text: `added by import ${params.import}`,
      remove: () => set({ import: null, ...first }),
    });
  if (params.profile !== null)
    chips.push({
      key: "profile",
      text: `rollouts of profile ${params.profile}`,
      remove: () => set({ profile: null, ...first }),
    });
  if (params.training !== null) {
    chips.push({
      key: "training",
      text: `rollouts of training ${params.training}`,
      remove: () => set({ training: null, trainingStep: null, rolloutGroup: null, rewarded: null, ...first }),
    });
    if (params.trainingStep !== null)
      chips.push({
        key: "trainingStep",
        text: `step ${params.trainingStep} of it`,
        remove: () => set({ trainingStep: null, ...first }),
      });
    if (params.rolloutGroup !== null)
      chips.push({ key: "rolloutGroup", text: "one group", remove: () => set({ rolloutGroup: null, ...first }) });
    if (params.rewarded !== null)
      chips.push({
        key: "rewarded",
        text: REWARDED_TEXT[params.rewarded],
        remove: () => set({ rewarded: null, ...first }),
      });
  }
  if (params.measurement !== null) {
    chips.push({
      key: "measurement",
      text: `samples of measurement ${params.measurement}`,
      remove: () => set({ measurement: null, measuredCheckpoint: null, measuredType: null, verdict: null, ...first }),
    });
    if (params.measuredCheckpoint !== null)
      chips.push({
        key: "measuredCheckpoint",
        text: `of checkpoint ${params.measuredCheckpoint}`,
        remove: () => set({ measuredCheckpoint: null, ...first }),
      });
    if (params.measuredType !== null)
      chips.push({
        key: "measuredType",
        text: "of one misbehavior",
        remove: () => set({ measuredType: null, ...first }),
      });
    for (const said of params.verdict) {
      const at = said.indexOf("@");
      chips.push({
        key: `verdict:${said}`,
        text: `${visible(said.slice(at + 1))} said ${visible(said.slice(0, Math.max(0, at)))}`,
        remove: () => set({ verdict: params.verdict.filter((v) => v !== said), ...first }),
      });
    }
  }
  return chips;
}
