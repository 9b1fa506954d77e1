import { ClipboardCheck } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { currentActor } from "@/app/actor";
import { Page } from "@/components/shell/page";
import { StateMessage } from "@/components/ui/state";
import { getDb } from "@/db/client";
import { listMeasurements } from "@/db/queries/measurements";
import { one } from "@/db/queries/prepared";
import { reviewQueues } from "@/db/queries/reviewQueues";
import { listTaxonomies, taxonomyInForce } from "@/db/queries/taxonomies";
import { CreateForm } from "./create-form";
import { QueueTable } from "./queue-table";

export const metadata: Metadata = { title: "Review" };
export const dynamic = "force-dynamic";

export default async function ReviewPage() {
  const db = getDb();
  const actor = await currentActor();
  const queues = reviewQueues(db, actor.personId);
  const admin = actor.role === "admin";
  const inForce = taxonomyInForce(db);
  const people = one<{ n: number }>(
    db,
    "select count(*) as n from person where disabled_at is null and role in ('annotator', 'admin')",
  );
  return (
    <Page
      title="Review"
      term="annotator"
      note="People check what localizers, annotators and judges said: blind to them and to each other, one key an answer."
      actions={
        admin ? (
          <CreateForm
            choices={{
              versions: listTaxonomies(db)
                .filter((t) => t.status === "done")
                .map(({ id, name, version }) => ({ id, name, version, inForce: id === inForce })),
              measurements: listMeasurements(db, { limit: 100 }).map(({ id, name }) => ({ id, name })),
              people: people?.n ?? 0,
            }}
          />
        ) : null
      }
    >
      {queues.length === 0 ? (
        <StateMessage icon={<ClipboardCheck aria-hidden />} title="No queue yet">
          {admin
            ? "A queue is one question over a sample of steps, windows or prefixes. Make one here, or from the list that it should be about."
            : "An admin makes queues; then they are listed here."}
        </StateMessage>
      ) : (
        <QueueTable queues={queues} named={actor.personId !== null} rater={actor.role !== "viewer"} admin={admin} />
      )}
      <p className="text-sm text-muted">
        What people say against the others:{" "}
        <Link href="/localizers#people" className="text-accent hover:underline">
          localizers
        </Link>
        , with the labels that came with data sets;{" "}
        <Link href="/misbehaviors#against-people" className="text-accent hover:underline">
          detectors and annotators
        </Link>
        , type by type; judges, in each measurement under{" "}
        <Link href="/compare" className="text-accent hover:underline">
          Compare
        </Link>
        .
      </p>
    </Page>
  );
}
