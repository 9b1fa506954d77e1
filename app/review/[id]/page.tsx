import { UserRound } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import { currentActor } from "@/app/actor";
import { Who } from "@/app/people/who";
import { Page } from "@/components/shell/page";
import { Button } from "@/components/ui/button";
import { StateMessage } from "@/components/ui/state";
import { getDb } from "@/db/client";
import { typesOf } from "@/db/queries/taxonomies";
import { findQueue, newestGuideline } from "@/lib/review/queue/queue";
import { progressOf } from "@/lib/review/serve/progress";
import { visible } from "@/lib/text/glyphs";
import { Seat } from "./seat";

export const dynamic = "force-dynamic";

const queueOf = async (params: Promise<{ id: string }>) => {
  const id = Number((await params).id);
  const queue = Number.isSafeInteger(id) && id > 0 ? findQueue(getDb(), id) : undefined;
  if (!queue) notFound();
  return queue;
};

export async function generateMetadata({ params }: PageProps<"/review/[id]">): Promise<Metadata> {
  return { title: visible((await queueOf(params)).name) };
}

/** The annotator's seat. Rendering claims nothing: the seat asks for its first item itself. */
export default async function SeatPage({ params }: PageProps<"/review/[id]">) {
  const queue = await queueOf(params);
  const actor = await currentActor();
  const db = getDb();
  if (actor.personId === null || actor.role === "viewer")
    return (
      <Page title={visible(queue.name)}>
        <StateMessage
          icon={<UserRound aria-hidden />}
          title={actor.personId === null ? "Say who you are first" : "This needs the role annotator"}
          actions={
            <>
              {actor.personId === null ? <Who actor={actor} place="page" /> : null}
              <Button asChild>
                <Link href="/review">All queues</Link>
              </Button>
            </>
          }
        >
          {actor.personId === null
            ? "An answer is always somebody's. Pick a name, and this page goes on."
            : `${actor.name} is viewer. An admin changes roles under Settings, People.`}
        </StateMessage>
      </Page>
    );
  const guideline = newestGuideline(db, queue.id);
  const types =
    queue.question === "types" && queue.taxonomyId !== null
      ? typesOf(db, queue.taxonomyId).filter((t) => t.status !== "retired")
      : [];
  const { id, name, question } = queue;
  const { reason, leaseMinutes } = queue.settings;
  return (
    <Seat
      key={`${id}:${actor.personId}`}
      queue={{ id, name, question, reason, leaseMinutes }}
      personId={actor.personId}
      types={types.map((t) => ({
        id: t.id,
        name: t.name,
        definition: t.definition,
        excludes: t.excludes,
        example: t.example,
      }))}
      guideline={{ version: guideline?.version ?? 0, text: guideline?.text ?? "" }}
      progress={progressOf(db, queue, actor.personId)}
      settles={actor.role === "admin"}
    />
  );
}
