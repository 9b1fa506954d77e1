import { execFileSync } from "node:child_process";
import type { APIRequestContext } from "playwright/test";

export interface SeededReview {
  queueId: number;
  people: { ada: number; bob: number; lea: number };
  items: { id: number; position: number; step: number }[];
  trajectory: number;
}

/** Seeds three persons and a queue of 30 items into the home of this run. */
export function seededReview(
  name: string,
  question: "wrong" | "types",
  reason: "optional" | "first" = "optional",
): SeededReview {
  const args = ["--conditions=react-server", "--import", "tsx", "e2e/support/seedReview.ts", name, question, reason];
  const env = { ...process.env, MISSTEP_HOME: process.env.E2E_HOME ?? "", NODE_OPTIONS: "" };
  return JSON.parse(execFileSync(process.execPath, args, { env, encoding: "utf8" })) as SeededReview;
}

/** The cookie by which a browser says in whose name it acts. */
export const asPerson = (personId: number) => ({ cookie: `misstep-person=${personId}` });

/** A call of the seat as a person. */
export async function call(request: APIRequestContext, person: number, path: string, data: object) {
  const response = await request.post(path, { data, headers: asPerson(person) });
  return { status: response.status(), text: await response.text() };
}
