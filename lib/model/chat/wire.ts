import "server-only";
import type { Agent } from "undici";

/** Larger answers are an error: nothing of a chat is that long. */
const MAX_BODY = 64 * 1024 * 1024;

/** What went over the wire in one try. The request's headers, which hold the key, are not in it. */
export interface Exchange {
  /** Address without its query; null: nothing was sent. */
  url: string | null;
  /** Body that was sent. */
  sent: string | null;
  /** null: no answer came. */
  status: number | null;
  retryAfter: string | null;
  retryAfterMs: string | null;
  /** Whole body, without any key; null: none, or it was cut. */
  body: string | null;
  /** Why no whole answer came. */
  broken: unknown;
}

export const emptyExchange = (): Exchange => ({
  url: null,
  sent: null,
  status: null,
  retryAfter: null,
  retryAfterMs: null,
  body: null,
  broken: null,
});

// Node's own limits (300 s to the headers and between parts) would end long thinking; the try's timeout is the only one.
let agent: Agent | undefined;
async function client() {
  const { Agent: Pool, fetch } = await import("undici");
  agent ??= new Pool({ headersTimeout: 0, bodyTimeout: 0, connectTimeout: 30_000 });
  return { fetch, dispatcher: agent };
}

/**
 * A `fetch` for the SDK that reads the whole body, notes the exchange, and follows no redirect: another host must not get
 * the key.
 */
export function noting(exchange: Exchange, redact: (text: string) => string): typeof globalThis.fetch {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : String(input));
    exchange.url = `${url.origin}${url.pathname}`;
    exchange.sent = typeof init?.body === "string" ? redact(init.body) : null;
    try {
      const { fetch, dispatcher } = await client();
      const response = await fetch(url, {
        method: init?.method,
        headers: new Headers(init?.headers) as never,
        body: init?.body as never,
        signal: init?.signal,
        redirect: "manual",
        dispatcher,
      });
      exchange.status = response.status;
      exchange.retryAfter = response.headers.get("retry-after");
      exchange.retryAfterMs = response.headers.get("retry-after-ms");
      const parts: Uint8Array[] = [];
      let size = 0;
      for await (const part of response.body ?? []) {
        size += part.byteLength;
        if (size > MAX_BODY) throw new Error(`the answer is larger than ${MAX_BODY} bytes`);
        parts.push(part);
      }
      const body = redact(Buffer.concat(parts).toString("utf8"));
      exchange.body = body;
      // Statuses that may have no body would refuse one, and are all failures here.
      const status = response.status < 200 || [204, 205, 304].includes(response.status) ? 502 : response.status;
      return new Response(body, { status, headers: { "content-type": response.headers.get("content-type") ?? "" } });
    } catch (error) {
      exchange.broken = error;
      throw error;
    }
  };
}

/** A `fetch` that answers with a stored body: how a reply is read again from the cache. */
export const replaying =
  (body: string): typeof globalThis.fetch =>
  async () =>
    new Response(body, { status: 200, headers: { "content-type": "application/json" } });
