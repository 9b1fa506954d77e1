import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { actionRange } from "./action";
import { align } from "./align";
import { countMatches, markLine, matcher, sourceMarks } from "./find";
import { fold } from "./fold";
import { formatCost, formatDuration, formatShort } from "./format";
import { parseSearch, reasonQuery, stepQuery } from "./fts";
import { lineText, plainLines, statedName } from "./glyphs";
import { highlight } from "./highlight";
import { snippet, termPattern } from "./snippet";
import { renderTerminal } from "./terminal";

const shown = (text: string): string[] =>
  renderTerminal(text).map((line) => line.map((run) => run.glyph?.show ?? run.text).join(""));
const ESC = "\u001b";

describe("terminal", () => {
  test("a carriage return overwrites, and keeps what the new text does not reach", () => {
    expect(shown("10%\r50%\r100% done\r\nnext")).toEqual(["100% done", "next"]);
    expect(shown("abcdef\rXY")).toEqual(["XYcdef"]);
    expect(shown(`abcdef\r${ESC}[KXY`)).toEqual(["XY"]);
    expect(shown("ab\b\bXY")).toEqual(["XY"]);
    expect(shown(`a${ESC}[3Cb`)).toEqual(["a   b"]);
  });

  test("colours become classes and last over lines until reset", () => {
    const [one, two] = renderTerminal(`${ESC}[1;31mred\nstill${ESC}[0m plain`);
    expect(one).toEqual([{ text: "red", look: "a-b f1", at: 7 }]);
    expect(two?.map((r) => [r.text, r.look])).toEqual([
      ["still", "a-b f1"],
      [" plain", ""],
    ]);
    expect(renderTerminal(`${ESC}[38;5;196mx`)[0]?.[0]?.look).toBe("f1");
    expect(renderTerminal(`${ESC}[38;2;10;200;10mx`)[0]?.[0]?.look).toBe("f2");
    expect(renderTerminal(`${ESC}[44mx`)[0]?.[0]?.look).toBe("g4");
  });

  test("titles, clipboard and links leave only their text; a string without end hides nothing", () => {
    expect(shown(`${ESC}]0;title\u0007a${ESC}]8;;http://x.test${ESC}\\link${ESC}]8;;${ESC}\\b`)).toEqual(["alinkb"]);
    expect(shown(`${ESC}]52;c;aGk=\u0007${ESC}[2Jok`)).toEqual(["ok"]);
    expect(shown(`${ESC}]0;never ends`)).toEqual(["␛]0;never ends"]);
  });

  test("control, direction and zero-width characters and lone surrogates are shown by glyph", () => {
    expect(shown("a\u0000b")).toEqual(["a␀b"]);
    expect(shown("a\u202eb\u200bc")).toEqual(["aU+202EbU+200Bc"]);
    expect(shown("x\ud800y")).toEqual(["xU+D800y"]);
    expect(shown("👩\u200d💻 ok")).toEqual(["👩\u200d💻 ok"]);
    expect(shown("<script>[bold] **x** {{y}}")).toEqual(["<script>[bold] **x** {{y}}"]);
  });

  test("without control characters every character is shown, at its place", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (raw) => {
        const text = raw.replace(/[\p{Cc}\r]/gu, "\n");
        const lines = renderTerminal(text);
        expect(lines.map(lineText).join("\n")).toBe(text);
        for (const run of lines.flat()) expect(text.slice(run.at, run.at + run.text.length)).toBe(run.text);
      }),
    );
  });

  test("a megabyte of repeated attributes is linear", () => {
    const start = performance.now();
    renderTerminal(`${ESC}[1mx`.repeat(200_000));
    expect(performance.now() - start).toBeLessThan(4000);
  });
});

describe("find and marks", () => {
  test("finds across colour changes, literally and without case", () => {
    const lines = renderTerminal(`FO${ESC}[31mo.bar\nfoo.b and fooxb`);
    const re = matcher("foo.b");
    expect(re && countMatches(lines, re)).toBe(2);
    expect(matcher("")).toBeNull();
  });

  test("marking keeps the text and its places, and marks just the range", () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(20), fc.nat(20), (text, a, b) => {
        const [start, end] = a < b ? [a, b] : [b, a];
        const [line = []] = plainLines(text.replaceAll("\n", " "));
        const marks = end > start ? [{ start, end, look: "hit" }] : [];
        const runs = markLine(line, marks);
        expect(runs.map((r) => r.text).join("")).toBe(lineText(line));
        expect(
          runs
            .filter((r) => r.mark)
            .map((r) => r.text)
            .join(""),
        ).toBe(marks.length ? lineText(line).slice(start, end) : "");
      }),
    );
  });

  test("a source range is found again behind removed escapes", () => {
    const text = `${ESC}[32mok${ESC}[0m 12 failed`;
    const [line = []] = renderTerminal(text);
    const at = text.indexOf("12");
    const [mark] = sourceMarks(line, at, at + 9, "evidence");
    expect(lineText(line).slice(mark!.start, mark!.end)).toBe("12 failed");
  });
});

describe("fold", () => {
  test("short text is whole; long text loses nothing but what it says", () => {
    expect(fold("a\n".repeat(100))).toBeNull();
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("😀", "line\n", "x".repeat(300), "\n"), { minLength: 40, maxLength: 400 }),
        (parts) => {
          const text = parts.join("");
          const folded = fold(text);
          if (!folded) return;
          expect(text.startsWith(folded.head) && text.endsWith(folded.tail)).toBe(true);
          expect(folded.head.length + folded.omittedChars + folded.tail.length).toBe(text.length);
          expect(/[\ud800-\udbff]$/.test(folded.head) || /^[\udc00-\udfff]/.test(folded.tail)).toBe(false);
          expect(folded.omittedLines).toBe(text.slice(folded.head.length, folded.tailAt).split("\n").length - 1);
        },
      ),
    );
  });
  test("one line of a megabyte folds", () => {
    expect(fold("x".repeat(1_000_000))).toMatchObject({ omittedChars: 991_000, omittedLines: 0 });
  });
  test("colour in force goes on in the tail", () => {
    expect(fold(`${ESC}[0m${ESC}[33m${"y\n".repeat(200)}`)?.tailSgr).toBe(`${ESC}[33m`);
  });
});

describe("search text", () => {
  const query = (text: string) => stepQuery(parseSearch(text));
  test("words are AND-ed, the last is a beginning, phrases stay together, fields bind one term", () => {
    expect(query("grep fil")).toBe('"grep" AND "fil"*');
    expect(query('"no such file" cat')).toBe('"no such file" AND "cat"*');
    expect(query("command:rm output:denied ")).toBe('command : "rm" AND output : "denied"*');
    expect(query('x "open')).toBe('"x" AND "open"');
    expect(query("/etc/passwd")).toBe('"etc passwd"*');
    expect(reasonQuery(parseSearch("reason:again"))).toBe('"again"*');
    expect(query("reason:again")).toBeNull();
  });
  test("nothing typed can break the query language", () => {
    for (const text of ['"', "(", "AND", "* NOT", "a:b^c", '""', "col:*", "NEAR(a b)"]) {
      const built = query(text);
      if (built)
        expect(built).toMatch(
          /^((command|thinking|output) : )?"[^"]*"\*?( AND ((command|thinking|output) : )?"[^"]*"\*?)*$/,
        );
    }
    expect(query("🙂 --- ()")).toBeNull();
  });
  test("a snippet shows the match with its range, whatever case and accent", () => {
    const pattern = termPattern(parseSearch("cafe run"))!;
    const found = snippet(`${"x ".repeat(200)}Café ran; running`, pattern)!;
    expect(found.ranges.map(([a, b]) => found.text.slice(a, b))).toEqual(["Café", "running"]);
    expect(found.cutBefore).toBe(true);
    expect(snippet("cafeteria", termPattern(parseSearch("cafe x"))!)).toBeNull();
  });
});

describe("align", () => {
  test("equal columns never part", () => {
    expect(
      align([
        ["a", "b"],
        ["a", "b"],
      ]),
    ).toMatchObject({ parting: null, complete: true });
  });
  test("an inserted step gets its own row and is where they part", () => {
    const { rows, parting } = align([
      ["a", "b", "c"],
      ["a", "x", "b", "c"],
      ["a", "x", "b"],
    ]);
    expect(rows.map((r) => r.steps)).toEqual([
      [0, 0, 0],
      [null, 1, 1],
      [1, 2, 2],
      [2, 3, null],
    ]);
    expect(parting).toBe(1);
  });
  test("what only one column has stands beside what only another has", () => {
    const { rows } = align([
      ["a", "p", "q", "z"],
      ["a", "r", "z"],
      ["s", "t", "u"],
    ]);
    expect(rows.map((r) => r.steps)).toEqual([
      [0, 0, null],
      [1, 1, 0],
      [2, null, 1],
      [3, 2, null],
      [null, null, 2],
    ]);
  });
  test("every step of every column is in exactly one row, in order, and rows called the same hold equal steps", () => {
    const key = fc.constantFrom("a", "b", "c", "d");
    fc.assert(
      fc.property(fc.array(fc.array(key, { maxLength: 12 }), { minLength: 2, maxLength: 4 }), (columns) => {
        const { rows } = align(columns);
        columns.forEach((column, c) => {
          expect(rows.flatMap((r) => r.steps[c] ?? [])).toEqual(column.map((_, i) => i));
        });
        for (const row of rows) {
          const keys = new Set(row.steps.flatMap((s, c) => (s === null ? [] : [columns[c]![s]!])));
          expect(row.same).toBe(keys.size === 1 && !row.steps.includes(null));
        }
      }),
    );
  });
});

test("the fence that repeats the command is found, another is not", () => {
  const message = "First.\n```bash\nls -la\n```\nThen.";
  const range = actionRange(message, "ls -la\n");
  expect(range && message.slice(...range)).toBe("```bash\nls -la\n```");
  expect(actionRange(message, "pwd")).toBeNull();
});

test("highlighting gives the text back exactly and knows a comment", () => {
  const code = 'for f in *.txt; do\r\n  cat "$f" # all\ndone\n\u0000';
  const tokens = highlight(code, "bash");
  expect(tokens.map(([, t]) => t).join("")).toBe(code);
  expect(highlight("ls # all", "bash").at(-1)).toEqual(["m", "# all"]);
});

test("a name of nothing but punctuation, or of nothing, is shown as what the file says", () => {
  expect(["...", "", "—", "\u200b"].map(statedName)).toEqual([
    "“...” (as the file says)",
    "“” (as the file says)",
    "“—” (as the file says)",
    "“U+200B” (as the file says)",
  ]);
  for (const name of ["gpt-4o", "モデル", "7", "🦙", "a..."]) expect(statedName(name)).toBe(name);
});

test("numbers for people", () => {
  expect([0, 950, 12_345, 4_560_000].map(formatShort)).toEqual(["0", "950", "12.3k", "4.56M"]);
  expect([340, 4_200, 185_000, 7_620_000].map(formatDuration)).toEqual(["340 ms", "4.2 s", "3 min 05 s", "2 h 07 min"]);
  expect([0, 0.0123, 1.5].map(formatCost)).toEqual(["$0", "$0.012", "$1.50"]);
});
