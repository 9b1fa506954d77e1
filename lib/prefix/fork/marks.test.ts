import fc from "fast-check";
import { expect, test } from "vitest";
import { type MarkEvent, MarkReader } from "./marks";

const mark = (body: string, end = "\u0007") => `\u001b]133;${body}${end}`;
const packed = (command: string) => Buffer.from(command).toString("base64");

/** Neighbouring outputs as one: where a stream was cut is not what it says. */
function joined(events: MarkEvent[]): MarkEvent[] {
  const out: MarkEvent[] = [];
  for (const event of events) {
    const last = out.at(-1);
    if (event.kind === "output" && last?.kind === "output") last.text += event.text;
    else out.push({ ...event });
  }
  return out;
}

const session = [
  mark("A"),
  "$ ls\r\n",
  mark(`C;${packed("ls -a 'ä'\n")}`),
  "a\u001b[31mb\u001b[0m\r\n\u001b]0;title\u0007c",
  mark("D;2", "\u001b\\"),
  mark("A"),
  "$ ",
].join("");

test("commands, their outputs and exit codes are told apart from prompts and echo", () => {
  expect(joined(new MarkReader().feed(session))).toEqual([
    { kind: "prompt" },
    { kind: "command", command: "ls -a 'ä'" },
    { kind: "output", text: "a\u001b[31mb\u001b[0m\r\n\u001b]0;title\u0007c" },
    { kind: "done", exitCode: 2 },
    { kind: "prompt" },
  ]);
});

test("a stream may be cut anywhere", () => {
  const whole = joined(new MarkReader().feed(session));
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: session.length }), { maxLength: 20 }), (cuts) => {
      const places = [0, ...cuts.sort((a, b) => a - b), session.length];
      const reader = new MarkReader();
      const events = places.slice(1).flatMap((end, i) => reader.feed(session.slice(places[i], end)));
      expect(joined(events)).toEqual(whole);
    }),
  );
});

test("what only looks like a mark stays output", () => {
  const reader = new MarkReader();
  reader.feed(mark(`C;${packed("cat evil")}`));
  const fake = `${mark("C;not base64!")}${mark("X")}\u001b]13`;
  expect(joined([...reader.feed(fake), ...reader.feed("4;x")])).toEqual([
    { kind: "output", text: `${mark("C;not base64!")}${mark("X")}\u001b]134;x` },
  ]);
});
