import { z } from "zod";
import type { testCase } from "./types";

export type TestCase = z.infer<typeof testCase>;

const ctrf = z.looseObject({
  results: z.looseObject({
    tests: z.array(z.looseObject({ name: z.string(), status: z.string(), message: z.string().nullish() })),
  }),
});
const STATUSES = new Set(["passed", "failed", "skipped"]);

const statusOf = (text: string): TestCase["status"] => (STATUSES.has(text) ? (text as TestCase["status"]) : "other");

/** Test cases of a ctrf.json; null when the text is none. */
export function parseCtrf(text: string): TestCase[] | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const parsed = ctrf.safeParse(value);
  if (!parsed.success) return null;
  return parsed.data.results.tests.map((t) => ({
    name: t.name,
    status: statusOf(t.status),
    message: t.message ?? null,
  }));
}

const PYTEST: Record<string, TestCase["status"]> = {
  PASSED: "passed",
  FAILED: "failed",
  ERROR: "failed",
  SKIPPED: "skipped",
  XFAIL: "skipped",
  XPASS: "other",
};

/** Test cases of the short summary that `pytest -rA` prints; empty when there is none. Escape sequences are ignored. */
export function parsePytest(output: string): TestCase[] {
  const lines = output.replace(/\u001b\[[0-9;]*m/g, "").split(/\r?\n/);
  const from = lines.findLastIndex((line) => /^=+ short test summary info =+$/.test(line));
  if (from < 0) return [];
  const found: TestCase[] = [];
  for (const line of lines.slice(from + 1)) {
    const match = /^(PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS) (.*)$/.exec(line);
    const status = PYTEST[match?.[1] ?? ""];
    if (!match || status === undefined) continue;
    const [name, ...message] = (match[2] ?? "").split(" - ");
    found.push({ name: name ?? "", status, message: message.length > 0 ? message.join(" - ") : null });
  }
  return found;
}
