"use client";
import { useState } from "react";
import { filterOn, listHref } from "@/app/trajectories/search-params";
import { CurvesChart } from "@/components/charts/curves";
import { EstimateBars } from "@/components/charts/estimates";
import { Button } from "@/components/ui/button";
import type { CheckpointRate } from "@/db/queries/trend";
import { formatCount, plural } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";
import { coursesOf, rateOf } from "./courses";

/** Models that are shown without being asked for. */
const FIT = 12;

const says = ({ errorSteps, steps }: CheckpointRate): string =>
  errorSteps === null
    ? "none of its error steps was looked at under this version"
    : `${plural(errorSteps, "error step")} of ${plural(steps, "step")}`;

/** Error steps of a type per 100 steps: a line over the steps of each training, and a bar for every other model. */
export function Trend({ rows, filter }: { rows: CheckpointRate[]; filter: string }) {
  const [whole, setWhole] = useState(false);
  if (rows.length < 2) return null;
  const { courses, apart } = coursesOf(rows);
  const shown = whole ? apart : apart.slice(0, FIT);
  const href = ({ model }: CheckpointRate) => listHref({ misbehavior: filter, model: filterOn(model) });
  return (
    <>
      {courses.length === 0 ? null : (
        <CurvesChart
          title="Over the steps of trainings"
          note="Error steps of this type per 100 steps of all trajectories of each checkpoint, those from prefixes included."
          name="trend"
          xLabel="step of the training"
          yLabel="per 100 steps"
          curves={courses.map(({ training, points }) => ({
            name: visible(training),
            points: points.map((row) => ({
              x: row.trainingStep,
              y: rateOf(row) ?? 0,
              says: `step ${row.trainingStep}: ${says(row)}`,
              href: href(row),
            })),
          }))}
        />
      )}
      {apart.length === 0 ? null : (
        <EstimateBars
          title={courses.length === 0 ? "By model" : "Other models"}
          note={
            <>
              Error steps of this type per 100 steps of all their trajectories, those from prefixes and those a teacher
              corrected included, the most frequent first
              {apart.length > FIT ? `: ${formatCount(shown.length)} of ${plural(apart.length, "model")}. ` : "."}
              {apart.length > FIT ? (
                <Button size="sm" variant="ghost" aria-expanded={whole} onClick={() => setWhole(!whole)}>
                  {whole ? `Show the first ${FIT}` : `Show all ${formatCount(apart.length)}`}
                </Button>
              ) : null}
            </>
          }
          name="by-model"
          of="Model"
          unit=""
          head="Per 100 steps"
          decimals={2}
          bars={shown.map((row) => ({
            name: row.model === null ? "not stated" : visible(row.model),
            value: rateOf(row),
            low: null,
            high: null,
            says: says(row),
            href: href(row),
          }))}
        />
      )}
    </>
  );
}
