import fc from "fast-check";
import { expect, it } from "vitest";
import { effectOfAll } from "./programs";
import { MAX_COMMAND, parseCommand } from "./shell";

const programs = (text: string) => {
  const parsed = parseCommand(text);
  return parsed.kind === "parsed" ? parsed.commands.map((c) => c.program) : parsed.kind;
};

it.each([
  ["cd /app && make | tail -5", ["cd", "make", "tail"]],
  ["FOO=1 sudo -u barn timeout -k 5 10 nice -n 3 ./run.sh", ["run.sh"]],
  ["bash -lc 'cd /x && ls; kill 5'", ["cd", "ls", "kill"]],
  ["nohup env A=b python3 x.py > log 2>&1 &", ["python3"]],
  ["find . -name a | xargs -n1 rm", ["find", "rm"]],
  ["cat <<'EOF' > a.sh\nkill 1\nEOF\necho $(date)", ["cat", "echo", "date"]],
  ["for f in *; do cat $f; done", ["cat"]],
  ["command -v node", ["command"]],
  ["$TOOL --x", [""]],
])("parses %s", (text, expected) => {
  expect(programs(text)).toEqual(expected);
});

it("gives syntax errors and oversized texts as values", () => {
  expect(parseCommand("if then (").kind).toBe("failed");
  expect(parseCommand(`echo ${"x".repeat(MAX_COMMAND)}`).kind).toBe("not-parsed");
});

it.each([
  ["cat a | sort | head", "read"],
  ["ls > /dev/null 2>&1", "read"],
  ["echo x > a", "write"],
  ["sed -i s/a/b/ f", "write"],
  ["find . -delete", "write"],
  ["find . -exec grep x {} +", "read"],
  ["find . -exec rm {} +", "write"],
  ["git log --oneline", "read"],
  ["git -C /x checkout main", "write"],
  ["git branch new", "write"],
  ["awk '{print > \"out\"}' f", "run"],
  ["python3 x.py", "run"],
  ["python3 --version", "read"],
  ["tar -tf a.tar", "read"],
  ["tar -xf a.tar", "write"],
  ["ls $(rm -rf x)", "write"],
  ["cd /x; pwd", "none"],
  ["if then (", "run"],
])("effect of %s is %s", (text, expected) => {
  expect(effectOfAll(parseCommand(text))).toBe(expected);
});

it("survives deep nesting and any text, with offsets inside it", () => {
  for (const piece of ["$(", "((", "{ ", "`", "<<A\n", "if ", "'", "[[ ", "a|", "a && "]) {
    expect(["parsed", "failed"]).toContain(parseCommand(piece.repeat(5000)).kind);
  }
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: "binary" }),
        fc.string({ unit: fc.constantFrom(..."$(){}`'\"|&;<>\n EOFabc \\#[]=!".split("")) }),
      ),
      (text) => {
        const parsed = parseCommand(text);
        if (parsed.kind !== "parsed") return;
        for (const c of parsed.commands)
          for (const w of [c, ...c.args]) {
            expect(w.start).toBeGreaterThanOrEqual(0);
            expect(w.end).toBeGreaterThanOrEqual(w.start);
            expect(w.end).toBeLessThanOrEqual(text.length);
          }
      },
    ),
    { numRuns: 500 },
  );
});
