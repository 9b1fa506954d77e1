import { expect, test } from "vitest";
import { CommandOutput, OutputTail } from "./output";

test("a page that connects again goes on where it was; what is gone is counted", () => {
  const tail = new OutputTail();
  tail.push(Buffer.from("hello "));
  tail.push(Buffer.from("world"));
  expect(tail.from(0, 100)).toEqual({ data: Buffer.from("hello world"), next: 11, lost: 0 });
  expect(tail.from(4, 3)).toEqual({ data: Buffer.from("o w"), next: 7, lost: 0 });
  expect(tail.from(11, 100)).toEqual({ data: Buffer.alloc(0), next: 11, lost: 0 });
  for (let i = 0; i < 100; i++) tail.push(Buffer.alloc(10_000, 65 + (i % 26)));
  const late = tail.from(11, 10_000_000);
  expect(late.next).toBe(tail.end);
  expect(late.lost).toBe(tail.end - 11 - late.data.byteLength);
  expect(late.lost).toBeGreaterThan(0);
  expect(late.data.byteLength).toBeGreaterThan(256 * 1024);
  expect(late.data.byteLength).toBeLessThanOrEqual(522 * 1024);
});

test("a flood is stored with its beginning, its end and the number of characters between", () => {
  const output = new CommandOutput();
  output.push("begin");
  for (let i = 0; i < 300; i++) output.push("x".repeat(10_000));
  output.push("end");
  const text = output.text();
  expect(text.startsWith("beginxxx")).toBe(true);
  expect(text.endsWith("xxxend")).toBe(true);
  const cut = Number(/\n\[(\d+) characters left out\]\n/.exec(text)?.[1]);
  expect(text.length - `\n[${cut} characters left out]\n`.length + cut).toBe(3_000_008);

  const faces = new CommandOutput();
  faces.push("a");
  for (let i = 0; i < 300; i++) faces.push("😀".repeat(5000));
  expect(faces.text().replace(/\n\[\d+ characters left out\]\n/, "")).toMatch(/^a(😀)+$/u);

  const short = new CommandOutput();
  for (let i = 0; i < 99; i++) short.push("0123456789".repeat(1000));
  expect(short.text()).toBe("0123456789".repeat(99_000));
});
