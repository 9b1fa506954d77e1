import Link from "next/link";
import { Term } from "@/components/ui/term";
import type { Db } from "@/db/client";
import { hasAided } from "@/db/queries/unaided";

/** Of which rollouts the rates beside the name of a model are, and where its scores are. Nothing where all are unaided. */
export function UnaidedNote({ db, what = "Passed and error steps per 100 are" }: { db: Db; what?: string }) {
  if (!hasAided(db)) return null;
  return (
    <p className="text-sm text-muted">
      {what} of unaided rollouts
      <Term name="unaided rollout" /> alone, in any environments: those of trainings and selections are among them, none
      that a teacher corrected or that went on from a prefix. Scores on held-out environments are on{" "}
      <Link href="/evaluate" className="text-accent underline">
        Evaluate
      </Link>
      .
    </p>
  );
}
