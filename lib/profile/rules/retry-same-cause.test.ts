import { expect, it } from "vitest";
import { type Case, expired, flagged, run } from "./steps.fixture";

const build = run("make all", "cc: error\nmake: *** [all] Error 1", 2);
const cases: Case[] = [
  ["the same again", [build, build], [1]],
  ["errors sent to standard output", [build, run("make all 2>&1", "x", 2)], [1]],
  ["after a look that changed nothing", [build, run("cat Makefile", "all:"), build], [2]],
  [
    "a cut-off output that showed a traceback",
    [
      run("python3 run.py 2>&1 | tail -5", "Traceback (most recent call last):\nKeyError: 1"),
      run("python3 run.py 2>&1 | tail -5", "x"),
    ],
    [1],
  ],
  ["more verbose", [run("pytest tests", "1 failed", 1), run("pytest -v tests", "1 failed", 1)], [1]],
  [
    "the program is still missing",
    [run("fdfind x", "bash: fdfind: command not found", 127), run("fdfind x", "bash: fdfind: command not found", 127)],
    [1],
  ],
  ["a shorter time limit after it ran out of time", [expired("./solve"), run("timeout 20 ./solve", "", 124)], [1]],
  ["the file was edited between", [build, run("sed -i s/a/b/ main.c"), build], []],
  ["a package was installed between", [build, run("apt-get install -y zlib1g-dev", "ok"), build], []],
  ["the first run worked", [run("make all", "ok"), build], []],
  ["another target", [build, run("make clean", "ok")], []],
  ["more time than before", [run("timeout 10 ./solve", "", 124), run("timeout 100 ./solve", "ok")], []],
  ["moved to the background after running out of time", [expired("./serve"), run("nohup ./serve &", "[1] 9")], []],
  [
    "a network that may come back",
    [run("curl -fsS http://a.test", "curl: (7) Failed to connect", 7), run("curl -fsS http://a.test", "ok")],
    [],
  ],
  [
    "a lock that may be released",
    [run("apt-get update", "E: Could not get lock", 100), run("apt-get update", "ok")],
    [],
  ],
  [
    "the first reply was malformed, so nothing ran",
    [
      run("printf x > a", "Previous response had parsing errors:\nERROR: Missing required fields: plan", null),
      run("printf x > a", "$ "),
    ],
    [],
  ],
  ["after waiting", [build, run("sleep 5"), build], []],
  ["grep found nothing, which is an answer", [run("grep cow farm.txt", "", 1), run("grep cow farm.txt", "", 1)], []],
  [
    "shows more of the failure",
    [run("make all | tail -3", "make: *** [all] Error 1"), run("make all | tail -40", "make: *** [all] Error 1")],
    [],
  ],
  ["another directory", [run("make all", "make: *** No rule", 2), run("cd /src/lib && make all", "ok")], []],
];

it.each(cases)("retry-same-cause: %s", (_name, steps, expected) => {
  expect(flagged("retry-same-cause", steps)).toEqual(expected);
});
