import { EstimateBars } from "@/components/charts/estimates";
import { getDb } from "@/db/client";
import type { ScoreReport } from "@/lib/evaluate/scores/report";
import { type MisbehaviorShare, misbehaviorShares } from "@/lib/evaluate/scores/shares";
import { shareBars } from "./own";

/** How the misbehaviors share the error steps of a set's trajectories, with intervals. Takes seconds where tasks are many. */
export async function Shares({ report }: { report: ScoreReport }) {
  const shares: MisbehaviorShare[] = [];
  for (const share of misbehaviorShares(getDb(), report) ?? []) {
    shares.push(share);
    // Whoever else asks the server for something goes first.
    await new Promise((resolve) => setImmediate(resolve));
  }
  const look = {
    whisker: "95% interval, tasks as clusters",
    note: "As the localizer flagged them in these trajectories.",
  };
  return (
    <>
      <EstimateBars
        title="Misbehaviors: share of error steps"
        name="misbehavior-shares"
        of="Misbehavior and model"
        bars={shareBars(shares, "ofErrorSteps")}
        {...look}
      />
      <EstimateBars
        title="Misbehaviors: trajectories that show it"
        name="misbehavior-trajectories"
        of="Misbehavior and model"
        bars={shareBars(shares, "ofTrajectories")}
        {...look}
      />
    </>
  );
}
