import { expect, it } from "vitest";
import { type Case, flagged, run, say, user } from "./steps.fixture";

const submit = run("echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT", "");
const write = run("cat > /app/count.py <<'EOF'\nprint(3)\nEOF");
const finish = { ...run("", null), call: { id: null, name: "finish", arguments: {}, command: null }, message: "Done." };
const cases: Case[] = [
  ["written and submitted", [write, submit], [1]],
  [
    "written and submitted in one line",
    [run("echo 42 > /app/answer.txt && echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT")],
    [0],
  ],
  ["edited and finished", [run("sed -i s/80/81/ /etc/barn.conf"), finish], [1]],
  ["printed back only", [write, run("cat /app/count.py", "print(3)"), submit], [2]],
  ["cleaning up is no check", [run("python3 /app/count.py", "3"), write, run("rm -f /tmp/x"), submit], [3]],
  ["claimed in prose", [write, say("The task is now complete.")], [1]],
  ["after tests that failed", [write, run("pytest -q", "1 failed", 1), submit], [2]],
  ["computed into a file", [run("grep -c x a.log > n.txt"), submit], [1]],
  ["computed, then compared", [run("grep -c x a.log > n.txt"), run("cat n.txt a.log", "1"), submit], []],
  ["moved", [run("mv a/*.log b/"), submit], [1]],
  ["packed", [run("cd a && tar czf ../a.tgz *; cd .."), submit], [1]],
  ["made executable", [run("chmod +x a/run.sh"), submit], [1]],
  ["moved by find", [run("find a -name '*.log' -exec mv {} b/ ';'"), submit], [1]],
  ["moved away to /tmp", [run("ls", "a"), run("mv a.py /tmp/"), submit], []],
  ["only removed", [run("ls", "a"), run("rm -rf build"), submit], []],
  ["run before", [write, run("python3 /app/count.py", "3"), submit], []],
  ["run in the same line", [run("cat > /app/a.py <<'EOF'\nprint(1)\nEOF\npython3 /app/a.py", "1"), submit], []],
  ["compared before", [write, run("diff /app/count.py want.py", ""), submit], []],
  ["only a note in /tmp was written", [run("make", "ok"), run("echo x > /tmp/note"), submit], []],
  ["tests failed and were mended", [run("pytest -q", "1 failed", 1), write, run("pytest -q", "2 passed"), submit], []],
  ["nothing was written at all", [run("ls", "a"), submit], []],
  ["says what is left", [write, say("I will now run it.")], []],
  ["somebody else says it", [write, user("The task is complete.")], []],
];

it.each(cases)("unverified-success: %s", (_name, steps, expected) => {
  expect(flagged("unverified-success", steps)).toEqual(expected);
});
