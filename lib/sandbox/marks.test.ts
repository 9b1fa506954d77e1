import { expect, it } from "vitest";
import { MarkReader, type TerminalEvent } from "./marks";

const mark = (text: string) => `\u001b]133;${text}\u0007`;

/** Events of a text given in pieces of `size` bytes, output pieces joined. */
function read(text: string, size: number): TerminalEvent[] {
  const reader = new MarkReader();
  const bytes = Buffer.from(text);
  const events: TerminalEvent[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    for (const event of reader.push(bytes.subarray(at, at + size))) {
      const last = events.at(-1);
      if (event.kind === "output" && last?.kind === "output") last.text += event.text;
      else events.push({ ...event });
    }
  }
  return events;
}

const session = `${mark("D;0")}${mark("A")}$ ls\r\n${mark("C;cmdline_url=ls%20%22%C3%A9%25%22%0Apwd")}\u001b[31mé\u001b[0m\r\n\u001b]0;title\u0007${mark("D;2")}${mark("A")}$ `;

it.each([1, 2, 3, 7, 1000])("splits a terminal's output, in pieces of %i bytes", (size) => {
  expect(read(session, size)).toEqual([
    { kind: "prompt" },
    { kind: "command", command: 'ls "é%"\npwd' },
    { kind: "output", text: "\u001b[31mé\u001b[0m\r\n\u001b]0;title\u0007" },
    { kind: "exit", exitCode: 2 },
    { kind: "prompt" },
  ]);
});

it("output of a command comes as it is printed, also after something like a mark", () => {
  const reader = new MarkReader();
  reader.push(Buffer.from(mark("C;cmdline_url=x")));
  expect(reader.push(Buffer.from("a\u001b]13"))).toEqual([{ kind: "output", text: "a" }]);
  expect(reader.push(Buffer.from("2;b"))).toEqual([{ kind: "output", text: "\u001b]132;b" }]);
});

it.each(["1.5", "-1", "256", "1e3", "x", ""])(
  "an exit mark of a program's own that says %j states no exit code",
  (code) => {
    const events = read(`${mark("C;cmdline_url=x")}${mark(`D;${code}`)}`, 1000);
    expect(events.at(-1)).toEqual({ kind: "exit", exitCode: null });
  },
);
