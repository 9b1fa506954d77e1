import { Download } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import { KindBadge } from "@/app/models/kind-badge";
import { ErrorRate, PassedRate } from "@/app/models/rate";
import { UnaidedNote } from "@/app/models/unaided-note";
import { weightsFile } from "@/app/models/weights";
import { filterOn, listHref } from "@/app/trajectories/search-params";
import { LinesChart } from "@/components/charts/lines";
import { Page } from "@/components/shell/page";
import { Button } from "@/components/ui/button";
import { getDb } from "@/db/client";
import {
  type CheckpointRow,
  checkpointChildren,
  checkpointMisbehaviors,
  checkpointRow,
  checkpointUnlabelled,
} from "@/db/queries/checkpoints";
import { formatCount, formatTime, plural } from "@/lib/text/format";
import { statedName, visible } from "@/lib/text/glyphs";
import { type CardView, cardView, wordsOf } from "./card-view";
import { Misbehaviors } from "./misbehaviors";
import { Value } from "./value";

export const dynamic = "force-dynamic";

/** More checkpoints than these are a wall of links before anything else of the page at 400 px. */
const CHILDREN_OPEN = 10;

const idOf = (text: string): number => (/^\d{1,15}$/.test(text) ? Number(text) : 0);

export async function generateMetadata({ params }: PageProps<"/models/[id]">): Promise<Metadata> {
  const row = checkpointRow(getDb(), idOf((await params).id));
  return { title: row ? statedName(row.name) : "Not found" };
}

export default async function ModelPage({ params }: PageProps<"/models/[id]">) {
  const db = getDb();
  const model = checkpointRow(db, idOf((await params).id));
  if (!model) notFound();
  const card = cardView(model.card);
  const children = checkpointChildren(db, model.id);
  return (
    <Page
      title={<span className="foreign break-all">{statedName(model.name)}</span>}
      note={<Note model={model} />}
      actions={
        <>
          {model.trajectories > 0 ? (
            <Button asChild>
              <Link href={listHref({ model: filterOn(model.name) })}>
                {plural(model.trajectories, "trajectory", "trajectories")}
              </Link>
            </Button>
          ) : null}
          {weightsFile(model) ? (
            <Button asChild>
              <a href={`/api/models/${model.id}/weights`} download>
                <Download aria-hidden /> Weights
              </a>
            </Button>
          ) : null}
        </>
      }
    >
      {model.trajectories > 0 ? <UnaidedNote db={db} what="Passed and error steps per 100 above are" /> : null}
      <div className="grid items-start gap-4 xl:grid-cols-2">
        <section className="flex min-w-0 flex-col gap-1.5">
          <h2 className="font-medium">In this index</h2>
          {model.trajectories === 0 ? (
            <p className="text-sm text-muted">No trajectory of it yet.</p>
          ) : (
            <>
              {model.unaided.trajectories < model.trajectories ? (
                <p className="text-sm text-muted">
                  Of all its trajectories: those that went on from a prefix, and those a teacher corrected, are among
                  them.
                </p>
              ) : null}
              <Misbehaviors
                model={model}
                rows={checkpointMisbehaviors(db, model.id)}
                unlabelled={checkpointUnlabelled(db, model.id)}
              />
            </>
          )}
          {children.length > 0 ? (
            <details open={children.length <= CHILDREN_OPEN} className="text-sm text-muted">
              <summary className="cursor-pointer">Trained further: {plural(children.length, "checkpoint")}</summary>
              {children.map((child, i) => (
                <span key={child.id}>
                  {i > 0 ? ", " : ""}
                  <Link href={`/models/${child.id}`} prefetch={false} className="foreign text-accent hover:underline">
                    {statedName(child.name)}
                  </Link>
                  {child.trainingStep === null ? "" : ` (step ${formatCount(child.trainingStep)})`}
                </span>
              ))}
            </details>
          ) : null}
        </section>
        <Card kind={model.kind} card={card} />
      </div>
      {card?.curve ? (
        <LinesChart
          title="Training curve"
          note={`${plural(card.curve.rows.length, "point")} kept in the card`}
          name={`curve-${model.id}`}
          x={{ key: "step", label: "step" }}
          panels={card.curve.panels}
          rows={card.curve.rows}
        />
      ) : null}
    </Page>
  );
}

function Note({ model }: { model: CheckpointRow }) {
  return (
    <span className="flex flex-wrap items-center gap-x-4 gap-y-1">
      <KindBadge kind={model.kind} />
      {model.trajectories > 0 ? (
        <>
          <span>
            passed unaided <PassedRate model={model.name} {...model.unaided} />
          </span>
          <span>
            error steps per 100, unaided <ErrorRate model={model.name} {...model.unaided} />
          </span>
        </>
      ) : null}
      {model.parentId === null ? null : (
        <span>
          from{" "}
          <Link href={`/models/${model.parentId}`} className="foreign text-accent hover:underline">
            {statedName(model.parent ?? String(model.parentId))}
          </Link>
          {model.trainingStep === null ? "" : `, training step ${formatCount(model.trainingStep)}`}
        </span>
      )}
      <span>added {formatTime(model.createdAt)} UTC</span>
    </span>
  );
}

const NO_CARD: Record<string, string> = {
  imported: "It has none: only imported trajectories name this model, and they do not say how it was made.",
  scripted: "It has none: it is a written program, nothing is learned.",
  endpoint: "It has none: the endpoint does not say how its model was made.",
};

function Card({ kind, card }: { kind: string; card: CardView | null }) {
  return (
    <section className="flex min-w-0 flex-col gap-1.5">
      <h2 className="font-medium">Card</h2>
      {card === null ? (
        <p className="text-sm text-muted">{NO_CARD[kind] ?? "It has none."}</p>
      ) : (
        <dl className="flex flex-col divide-y rounded-lg border bg-surface text-sm">
          {card.facts.map(([name, value]) => (
            <div key={name} className="grid gap-x-3 gap-y-0.5 px-3 py-1.5 sm:grid-cols-[9rem_minmax(0,1fr)]">
              <dt className="foreign text-muted">{visible(wordsOf(name))}</dt>
              <dd className="min-w-0">
                <Value name={name} value={value} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}
