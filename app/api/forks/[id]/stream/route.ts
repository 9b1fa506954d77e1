import type { NextRequest } from "next/server";
import { currentSession } from "@/app/actor";
import { CallError, reply } from "@/app/api/reply";
import { getDb } from "@/db/client";
import { sessionLasts } from "@/lib/people/accounts/session";
import { accountsOn } from "@/lib/people/accounts/state";
import type { Fork } from "@/lib/prefix/fork/fork";
import { getFork } from "@/lib/prefix/fork/open";

export const dynamic = "force-dynamic";

/** Bytes of terminal output in one event. */
const PIECE = 64 * 1024;
/** Keeps proxies and sleeping machines from taking a silent stream for a dead one. */
const BEAT_MS = 15_000;

const event = (name: string, id: string | null, data: unknown) =>
  `event: ${name}\n${id === null ? "" : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`;

/**
 * The events of a fork from byte `from` on: `state` (ForkView) whenever it changes, `data` (base64), `lost` (bytes). Ends with
 * the beat after which `may` says no: whoever listens was signed out.
 */
function follow(fork: Fork, from: number, may: () => boolean): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let at = from;
  let told = "";
  let off: () => void = () => undefined;
  let beat: NodeJS.Timeout | undefined;
  let wake: (() => void) | null = null;
  let beating = false;
  let over = false;
  const end = () => {
    over = true;
    off();
    clearInterval(beat);
  };
  return new ReadableStream<Uint8Array>({
    start() {
      const ring = () => wake?.();
      off = fork.listen(ring);
      beat = setInterval(() => {
        beating = true;
        ring();
      }, BEAT_MS);
    },
    async pull(controller) {
      while (!over) {
        if (beating && !may()) {
          end();
          controller.close();
          return;
        }
        const { data, next, lost } = fork.output.from(at, PIECE);
        const view = fork.view();
        const state = JSON.stringify(view);
        let text = beating ? ": still here\n\n" : "";
        beating = false;
        if (lost > 0) text += event("lost", null, lost);
        at = next;
        if (data.byteLength > 0) text += event("data", String(at), data.toString("base64"));
        if (state !== told && at === fork.output.end) {
          told = state;
          text += event("state", null, view);
        }
        if (text !== "") controller.enqueue(encoder.encode(text));
        if (at === fork.output.end && (view.state === "ended" || view.state === "failed")) {
          end();
          controller.close();
          return;
        }
        if (text !== "") return;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        wake = null;
      }
    },
    cancel: () => {
      end();
      wake?.();
    },
  });
}

/** Server-sent events of a live fork. Goes on after `Last-Event-ID`. */
export async function GET(request: NextRequest, { params }: { params: Promise<{ id: string }> }) {
  return reply(async () => {
    const fork = getFork((await params).id);
    if (!fork) throw new CallError(404, "this terminal is not open any more");
    const last = Number(request.headers.get("last-event-id") ?? 0);
    const session = accountsOn(getDb()) ? await currentSession() : null;
    const may = () => session === null || sessionLasts(getDb(), session.sessionId);
    return new Response(follow(fork, Number.isSafeInteger(last) && last > 0 ? last : 0, may), {
      headers: {
        "content-type": "text/event-stream",
        "cache-control": "no-store, no-transform",
        "x-accel-buffering": "no",
      },
    });
  });
}
