import "server-only";
import { connectSandboxHost } from "@/lib/sandbox/client";
import type { DriverStatus } from "@/lib/sandbox/types";

/** What the drivers of this machine can do; `problem` when the sandbox host could not be asked. */
export interface KnownDrivers {
  statuses: DriverStatus[];
  problem: string | null;
}

/** Milliseconds an answer is taken for still true: pages ask often, and drivers come and go rarely. */
const FRESH_MS = 30_000;
const PATIENCE_MS = 5_000;

let known: { at: number; answer: Promise<KnownDrivers> } | null = null;

async function ask(): Promise<KnownDrivers> {
  try {
    const host = await connectSandboxHost();
    try {
      return { statuses: await host.drivers(), problem: null };
    } finally {
      void host.close();
    }
  } catch (error) {
    return { statuses: [], problem: error instanceof Error ? error.message : String(error) };
  }
}

function patiently(answer: Promise<KnownDrivers>): Promise<KnownDrivers> {
  const late = new Promise<KnownDrivers>((resolve) => {
    setTimeout(
      () => resolve({ statuses: [], problem: `the sandbox host did not answer within ${PATIENCE_MS / 1000} s` }),
      PATIENCE_MS,
    ).unref();
  });
  return Promise.race([answer, late]);
}

/** For pages: the drivers' state, asked at most every half minute; never rejects and never waits long. */
export function knownDrivers(): Promise<KnownDrivers> {
  if (known && Date.now() - known.at < FRESH_MS) return patiently(known.answer);
  const answer = ask();
  known = { at: Date.now(), answer };
  void answer.then((result) => {
    if (result.problem !== null && known?.answer === answer) known = null;
  });
  return patiently(answer);
}
