import { expect, test } from "vitest";
import { z } from "zod";
import { readJson } from "./json";

const schema = z.object({ reason: z.string().min(1), verdict: z.enum(["good", "bad"]) });
const good = '{"reason":"it looks first","verdict":"good"}';
const bad = '{"reason":"a guess","verdict":"bad"}';
const read = (reply: string) => readJson(reply, schema);
const verdict = (reply: string) => {
  const parsed = read(reply);
  return parsed.ok ? parsed.output.verdict : null;
};
const repairs = (reply: string) => {
  const parsed = read(reply);
  return parsed.ok ? parsed.repairs : null;
};

test("a clean reply needs no repair, whatever the order of its keys and with thinking before it", () => {
  expect(repairs(good)).toEqual([]);
  expect(repairs('{"verdict":"good","extra":1,"reason":"x"}')).toEqual([]);
  expect(repairs(`<think>perhaps ${bad}</think>\n${good}`)).toEqual([]);
  expect(verdict(`<think>perhaps ${bad}</think>\n${good}`)).toBe("good");
  expect(verdict(`perhaps ${bad}\n</think>\n\n${good}`)).toBe("good");
  // A tag that an answer quotes is no thinking.
  expect(verdict('{"reason":"it prints </think> twice","verdict":"bad"}')).toBe("bad");
});

test.each([
  ["code fence", `\`\`\`json\n${bad}\n\`\`\``, ["code fence removed"]],
  ["prose", `Here it is:\n${bad}\nHope it helps.`, ["text around the JSON left out"]],
  [
    "prose and fence",
    `Sure.\n\`\`\`json\n${bad}\n\`\`\`\nDone.`,
    ["code fence removed", "text around the code fence left out"],
  ],
  ["trailing comma", '{"reason":"a guess","verdict":"bad",}', ["JSON mended: trailing comma"]],
  ["single quotes", "{'reason': 'a guess', 'verdict': 'bad'}", ["JSON mended: single quotes"]],
  ["list of one", `[${bad}]`, ["taken out of a list of one"]],
])("%s is mended and said", (_, reply, said) => {
  expect(verdict(reply)).toBe("bad");
  expect(repairs(reply)).toEqual(said);
});

test("of several values that say the same the last one counts; braces in prose and in strings mislead nobody", () => {
  const worded = '{"reason":"nobody looked","verdict":"bad"}';
  expect(repairs(`${bad} ${bad}`)?.join()).toContain("last of 2");
  expect(verdict(`${worded} ${bad}`)).toBeNull();
  const same = readJson(`${worded} ${bad}`, schema, { same: (one, other) => one.verdict === other.verdict });
  expect(same).toMatchObject({ ok: true, output: { reason: "a guess", verdict: "bad" } });
  expect(verdict(`It uses \${HOME} and {a,b}: ${bad} {"note": 1}`)).toBe("bad");
  expect(verdict('{"reason":"awk \'{print $1}\' of [x","verdict":"bad"}')).toBe("bad");
  expect(verdict(`an open { brace, then ${bad}`)).toBe("bad");
});

test.each([
  ["a second thought", `Draft: ${good}\nOn second thought: ${bad}`],
  ["what would have been otherwise", `${bad} Had it looked first: ${good}`],
  ["thinking after the answer", `${good}\n<think>or ${bad}?</think>`],
  ["two lines in a fence", `\`\`\`json\n${good}\n${bad}\n\`\`\``],
  ["a list of both after it", `${good} [${good},${bad}]`],
  ["a correction that does not fit", `${good} Correction: {"reason":"no","verdict":"not good"}`],
  ["a correction that is no JSON", `${good} Correction: {"verdict": "good"/"bad"}`],
])("no verdict is picked from a reply with %s", (_, reply) => {
  expect(verdict(reply)).toBeNull();
});

test("what was not written is not guessed", () => {
  const reason = (reply: string) => {
    const parsed = read(reply);
    return parsed.ok ? null : parsed.reason;
  };
  expect(reason('{"reason":"a guess","verdict":"bad"')).toMatch(/ends inside its JSON/);
  expect(reason(`Draft: ${good}\nFinal: {"reason":"no, it is`)).toMatch(/ends inside its JSON/);
  expect(reason("<think>it is bad, I think")).toMatch(/inside its thinking/);
  expect(reason("")).toMatch(/empty/);
  expect(reason("bad")).toMatch(/no JSON/);
  expect(reason('{"reason":"x","verdict":"good","verdict":"bad"}')).toMatch(/key comes twice/);
  expect(reason('{"reason":"x","verdict":"maybe"}')).toMatch(/verdict/);
  expect(reason('{"reason":"","verdict":"bad"}')).toMatch(/reason/);
  expect(reason(`[${good},${bad}]`)).not.toBeNull();
});

test("halves of characters become what the index would make of them; whole ones stay", () => {
  for (const half of ["\\ud800", "\ud800", "\\uDFFF"]) {
    const parsed = read(`{"reason":"${half}é😀\\ud83d\\ude00","verdict":"bad"}`);
    expect(parsed).toMatchObject({ ok: true, output: { reason: "\ufffdé😀😀" } });
  }
});

test("a hostile reply of a hundred thousand open braces is read in no time to speak of", () => {
  expect(verdict("{".repeat(100_000))).toBeNull();
  expect(verdict(`${"[{".repeat(50_000)} ${bad}`)).toBe("bad");
  const deep = read("[".repeat(100_000) + "]".repeat(100_000));
  expect(deep).toEqual({ ok: false, reason: "the reply's JSON is nested too deep" });
  expect(read("```\n{}\n```\n".repeat(20_000))).toMatchObject({
    ok: false,
    reason: "the reply holds 20000 JSON values",
  });
});
