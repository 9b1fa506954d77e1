"use client";
import { useQueryStates } from "nuqs";
import { useTransition } from "react";
import { METRICS, metricName } from "@/app/train/metrics";
import { Select } from "@/components/ui/select";
import { AXES, AXIS_NAMES, SMOOTHING, smoothingName } from "./overlay-rows";
import { compareParams } from "./search-params";

/** What is drawn, over what, and how smooth: in the address. */
export function Choices() {
  const [busy, startTransition] = useTransition();
  const { metric, x, smooth } = compareParams;
  const [values, setValues] = useQueryStates({ metric, x, smooth }, { shallow: false, startTransition });
  const choice = (
    label: string,
    value: string,
    options: { value: string; label: string }[],
    set: (v: string) => void,
  ) => (
    <div className="flex min-w-0 flex-col gap-1 text-sm text-muted">
      {label}
      <Select label={label} value={value} options={options} onValueChange={set} className="text-text" />
    </div>
  );
  return (
    <div className="flex flex-wrap items-end gap-3" aria-busy={busy}>
      {choice(
        "Metric",
        values.metric,
        METRICS.map((m) => ({ value: m.key, label: metricName(m) })),
        (v) => setValues({ metric: v }),
      )}
      {choice(
        "Over",
        values.x,
        AXES.map((axis) => ({ value: axis, label: AXIS_NAMES[axis] })),
        (v) => setValues({ x: AXES.find((axis) => axis === v) ?? null }),
      )}
      {choice(
        "Smoothing",
        String(values.smooth),
        SMOOTHING.map((window) => ({ value: String(window), label: smoothingName(window) })),
        (v) => setValues({ smooth: SMOOTHING.find((window) => String(window) === v) ?? null }),
      )}
    </div>
  );
}
