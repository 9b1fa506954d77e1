import { expect, it } from "vitest";
import { type Case, flagged, run, user } from "./steps.fixture";

const list = run("ls -la /app", "total 8\nnotes.txt\n");
const cases: Case[] = [
  ["the same listing twice", [list, list], [1]],
  ["with another look between", [list, run("cat /app/notes.txt", "milk"), list], [2]],
  [
    "quoting and spacing differ only",
    [run("grep -n 'cow' farm.txt", "3:cow"), run('grep  -n "cow" farm.txt', "3:cow")],
    [1],
  ],
  ["behind the same cd", [run("cd /srv && git status", "clean"), run("cd /srv && git status", "clean")], [1]],
  ["every further repeat", [list, list, list], [1, 2]],
  ["exit code unknown and no error shown", [run("cat a.txt", "hello", null), run("cat a.txt", "hello", null)], [1]],
  ["by its absolute path, from another directory", [list, run("cd /srv && cat x", "x"), list], [2]],
  ["data in a file called .log", [run("grep -c cow farm.log", "3"), run("grep -c cow farm.log", "3")], [1]],
  ["a test that passed, with nothing changed since", [run("pytest -q", "3 passed"), run("pytest -q", "3 passed")], [1]],
  [
    "an experiment that writes its own input first",
    [run("echo a > t; ./up t; cat t", "a"), run("echo a > t; ./up t; cat t", "a")],
    [1],
  ],
  ["appends each time", [run("echo a >> t; cat t", "a"), run("echo a >> t; cat t", "a\na")], []],
  [
    "asks a server that may answer differently",
    [run("curl -s http://a.test", "x"), run("curl -s http://a.test", "y")],
    [],
  ],
  ["more time for the same", [run("timeout 5 ./solve", "half way"), run("timeout 50 ./solve", "half way")], []],
  ["a file was written between", [list, run("touch /app/new"), list], []],
  ["a program of unknown effect ran between", [list, run("./build", "done"), list], []],
  ["another question", [list, run("ls -la /srv", "x")], []],
  ["more lines of the same file", [run("head -5 a.csv", "1"), run("head -50 a.csv", "1\n2")], []],
  [
    "the first one failed",
    [run("cat /app/x", "cat: /app/x: No such file or directory", 1), run("cat /app/x", "hi")],
    [],
  ],
  ["the first one told nothing", [run("ls /app", ""), run("ls /app", "")], []],
  ["watching processes", [run("ps aux", "root 1 init"), run("ps aux", "root 1 init")], []],
  ["watching a log", [run("tail -n 3 build.log", "10%"), run("tail -n 3 build.log", "20%")], []],
  ["waiting for something in the background", [run("./serve &", "[1] 77"), list, list], []],
  ["a sleep stands before it", [run("sleep 2; cat out.txt", "a"), run("sleep 2; cat out.txt", "a")], []],
  ["in another directory", [run("cat a.txt", "x"), run("cd /other"), run("cat a.txt", "y")], []],
  ["the answer was summed up and dropped", [list, user("Summary of the work so far", { note: "summary" }), list], []],
  ["writes and shows nothing", [run("ls > list.txt", ""), run("ls > list.txt", "")], []],
  ["in-place sed is no look", [run("sed -i s/a/b/ f", ""), run("sed -i s/a/b/ f", "")], []],
  ["quotes around an expansion matter", [run('p="a $b"; ls $p', "x"), run('p="a $b"; ls "$p"', "x")], []],
];

it.each(cases)("unneeded-checks: %s", (_name, steps, expected) => {
  expect(flagged("unneeded-checks", steps)).toEqual(expected);
});
