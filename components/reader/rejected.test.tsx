// @vitest-environment happy-dom
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import type { CorrectionView } from "@/db/queries/corrections";
import { type ReaderContextValue, ReaderProvider } from "./context";
import { Rejected } from "./rejected";
import type { EntryView } from "./types";

afterEach(cleanup);

const entry = (index: number, over: Partial<EntryView>): EntryView => ({
  index,
  kind: "agent",
  number: null,
  turn: null,
  actor: null,
  note: null,
  copied: false,
  time: null,
  durationMs: null,
  promptTokens: null,
  completionTokens: null,
  costUsd: null,
  exitCode: null,
  thinking: null,
  message: null,
  messageCut: null,
  call: null,
  observations: [],
  ...over,
});
const call = (command: string): EntryView["call"] => ({
  name: "bash",
  command: [["", command]],
  commandText: command,
  args: null,
});
const attempt = (n: number, accepted: number, command: string): CorrectionView => ({
  id: n,
  source: "teacher",
  sourceName: "suite expert",
  thinking: null,
  command,
  attempt: n,
  accepted,
  reply: null,
  judgement: accepted
    ? { verdict: "good", commandSeen: null, reason: null, findings: [] }
    : { verdict: "bad", commandSeen: null, reason: "it asks again", findings: [] },
  failure: null,
});

function show(rejected: EntryView, after: EntryView | undefined, tries: CorrectionView[], open = false) {
  const reader = {
    trajectoryId: 1,
    wrap: true,
    raw: false,
    thinking: true,
    find: { pattern: null, active: null },
    evidence: null,
    isOn: () => open,
    toggle: () => undefined,
    triesOf: () => tries,
    entryAt: (index: number) => (index === after?.index ? after : undefined),
  } as unknown as ReaderContextValue;
  return render(
    <ReaderProvider value={reader}>
      <Rejected entry={rejected} flag={undefined} />
    </ReaderProvider>,
  );
}

test("the words that the correction changed are deleted on one side and inserted on the other", () => {
  const { container } = show(
    entry(2, { note: "rejected", call: call("grep -c error a.log") }),
    entry(3, { note: "correction", call: call("grep -ci error a.log") }),
    [attempt(1, 1, "grep -ci error a.log")],
  );
  expect([...container.querySelectorAll("del")].map((d) => d.textContent)).toEqual(["c"]);
  expect([...container.querySelectorAll("ins")].map((d) => d.textContent)).toEqual(["ci"]);
  expect(screen.getByText(/not run/)).toBeTruthy();
  expect(screen.getByText("suite expert")).toBeTruthy();
});

test("where no try was accepted it says that the rollout was discarded, and shows no command as if it had run", () => {
  show(
    entry(2, { note: "rejected", call: call("ls") }),
    undefined,
    [1, 2, 3].map((n) => attempt(n, 0, `ls ${n}`)),
  );
  expect(screen.getByText(/None of 3 tries was accepted/)).toBeTruthy();
  expect(screen.queryByText("ls 1")).toBeNull();
});

test("the tries are there on demand, each with its judgement; a failed call is no verdict", () => {
  const failed: CorrectionView = {
    ...attempt(2, 0, ""),
    judgement: null,
    failure: { kind: "unparsed", message: "no command in it" },
  };
  show(
    entry(2, { note: "rejected", call: call("ls") }),
    entry(3, { note: "correction", call: call("pwd") }),
    [attempt(1, 0, "ls -l"), failed, attempt(3, 1, "pwd")],
    true,
  );
  expect(screen.getByRole("button", { name: "3 tries by suite expert: try 3 was accepted" })).toBeTruthy();
  expect(screen.getByText("it asks again")).toBeTruthy();
  expect(screen.getByText(/gave no step \(unparsed\)/)).toBeTruthy();
  expect(screen.getAllByText("not accepted")).toHaveLength(2);
  expect(screen.getAllByText("accepted")).toHaveLength(1);
});
