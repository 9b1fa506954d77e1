import type { ForkView } from "@/lib/prefix/fork/types";

/** What a terminal's line tells and takes. */
export interface LineListener {
  onData(data: Uint8Array): void;
  onLost(bytes: number): void;
  onState(view: ForkView): void;
  /** The line is down: null when it comes back by itself, else why it does not. */
  onDown(reason: string | null): void;
  /** The server does not know the fork any more: it was started anew, or the fork ended long ago. */
  onGone(): void;
}

type Message = { type: "input"; data: string } | { type: "resize"; cols: number; rows: number } | { type: "close" };

const bytes = (base64: string) => Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
/** Characters sent at once, below the server's limit whatever they take in UTF-8. */
const PIECE = 16_000;

/** The line to a live fork: server-sent events one way, posts in order the other. */
export class TerminalLine {
  private readonly source: EventSource;
  private queue: Message[] = [];
  private sending = false;
  private closed = false;

  constructor(
    private readonly id: string,
    private readonly listener: LineListener,
  ) {
    this.source = new EventSource(`/api/forks/${id}/stream`);
    this.source.addEventListener("data", (e) => listener.onData(bytes(JSON.parse(e.data))));
    this.source.addEventListener("lost", (e) => listener.onLost(JSON.parse(e.data)));
    this.source.addEventListener("state", (e) => {
      const view = JSON.parse(e.data) as ForkView;
      listener.onState(view);
      if (view.state === "ended" || view.state === "failed") this.close();
    });
    this.source.onopen = () => listener.onDown(null);
    this.source.onerror = () => {
      if (this.closed) return;
      if (this.source.readyState === EventSource.CLOSED) {
        this.close();
        listener.onGone();
      } else listener.onDown("The line to the server is down; trying again.");
    };
  }

  type(data: string): void {
    for (let at = 0; at < data.length; at += PIECE)
      this.queue.push({ type: "input", data: data.slice(at, at + PIECE) });
    void this.flush();
  }

  send(message: Message): void {
    this.queue.push(message);
    void this.flush();
  }

  /** Neighbouring keystrokes go as one post. */
  private next(): Message | undefined {
    const first = this.queue.shift();
    if (first?.type !== "input") return first;
    let data = first.data;
    for (;;) {
      const more = this.queue[0];
      if (more?.type !== "input" || data.length + more.data.length > PIECE) break;
      data += more.data;
      this.queue.shift();
    }
    return { type: "input", data };
  }

  private async flush(): Promise<void> {
    if (this.sending) return;
    this.sending = true;
    try {
      for (let message = this.next(); message && !this.closed; message = this.next()) {
        const answer = await fetch(`/api/forks/${this.id}`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(message),
        });
        if (!answer.ok) {
          const { error } = (await answer.json()) as { error: string };
          this.listener.onDown(`The server did not take it: ${error}`);
        }
      }
    } catch {
      this.listener.onDown("The server did not answer; what was typed last may be lost.");
    } finally {
      this.sending = false;
    }
  }

  close(): void {
    this.closed = true;
    this.source.close();
  }
}
