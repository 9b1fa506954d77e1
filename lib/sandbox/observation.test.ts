import { expect, it } from "vitest";
import { Capture, KEPT_BYTES, keptText } from "./capture";
import { isSubmission, observation, TOO_LONG_HINT } from "./observation";

const whole = (head: string) => ({ head, lostChars: 0, tail: "" });
const none = whole("");

it("is the output, stderr on a new line, a blank line and the exit code", () => {
  expect(observation(whole("out"), whole("err"), 3)).toBe("out\nerr\n\n(exit_code=3)");
  expect(observation(whole("out\n"), whole("err\n"), 0)).toBe("out\n\nerr\n\n\n(exit_code=0)");
  expect(observation(none, whole("err"), 1)).toBe("err\n\n(exit_code=1)");
  expect(observation(none, none, 0)).toBe("(no output)\n\n(exit_code=0)");
  expect(observation(whole("\n"), none, 0)).toBe("\n\n\n(exit_code=0)");
});

it("shows 10,000 characters whole, and of one more the first and last 5,000", () => {
  const exact = "x".repeat(10_000);
  expect(observation(whole(exact), none, 0)).toBe(`${exact}\n\n(exit_code=0)`);
  const over = `${"a".repeat(5000)}bc${"d".repeat(5000)}`;
  expect(observation(whole(over), none, 0)).toBe(
    `${TOO_LONG_HINT}\n\n${"a".repeat(5000)}\n[2 characters left out]\n${"d".repeat(5000)}\n\n(exit_code=0)`,
  );
});

it("counts and cuts by character, never inside a surrogate pair", () => {
  const smile = "😀";
  expect(observation(whole(smile.repeat(10_000)), none, 0)).toBe(`${smile.repeat(10_000)}\n\n(exit_code=0)`);
  const mixed = `x${smile.repeat(5003)}${"é".repeat(5000)}y`;
  expect(observation(whole(mixed), none, 0)).toBe(
    `${TOO_LONG_HINT}\n\nx${smile.repeat(4999)}\n[5 characters left out]\n${"é".repeat(4999)}y\n\n(exit_code=0)`,
  );
});

it("counts what was not kept, whichever stream it is missing from", () => {
  const big = { head: "h".repeat(6000), lostChars: 1_000_000, tail: "t".repeat(6000) };
  expect(observation(big, whole("e".repeat(10)), 0)).toContain(
    `${"h".repeat(5000)}\n[${1_002_011} characters left out]\n${"t".repeat(4989)}\n${"e".repeat(10)}`,
  );
  expect(observation(whole("o"), big, 0)).toContain(`o\n${"h".repeat(4998)}\n[${1_002_002} characters left out]\n`);
  expect(observation(big, big, 0)).toContain(`[${2 * 1_012_000 + 1 - 10_000} characters left out]`);
});

it("takes the marker for a submission only alone on the first line", () => {
  const marker = "COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT";
  expect(isSubmission(whole(`${marker}\n`), none)).toBe(true);
  expect(isSubmission(whole(`${marker}\nmore\n`), none)).toBe(true);
  expect(isSubmission(whole(`not ${marker}\n`), none)).toBe(false);
  expect(isSubmission(whole(`\n${marker}\n`), none)).toBe(false);
  expect(isSubmission(whole(`${marker}x`), none)).toBe(false);
});

it("keeps both ends of a long stream and says how long it was", () => {
  const capture = new Capture();
  const line = Buffer.from("0123456789äbcde\n");
  const lines = Math.ceil((8 * KEPT_BYTES) / line.length);
  capture.push(Buffer.from("first\n"));
  for (let i = 0; i < lines; i++) capture.push(line);
  capture.push(Buffer.from("last\n"));
  const text = capture.text();
  const characters = 6 + lines * (line.length - 1) + 5;
  expect(capture.bytes).toBe(11 + lines * line.length);
  expect(text.head.startsWith("first\n0123")).toBe(true);
  expect(text.tail.endsWith("\nlast\n")).toBe(true);
  expect([...text.head].length + text.lostChars + [...text.tail].length).toBe(characters);
  expect(keptText(text)).toContain(`[${text.lostChars} characters not kept]`);
});

it("makes broken bytes visible", () => {
  const capture = new Capture();
  capture.push(Buffer.from([0x61, 0xff, 0x62]));
  expect(capture.text().head).toBe("a\ufffdb");
});
