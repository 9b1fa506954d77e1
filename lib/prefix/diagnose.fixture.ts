import type { Cause } from "./types";

/** A command whose output differs between recording and rerun. Exit codes: recorded, rerun; 0 and 0 where nothing is said. */
export interface Case {
  command: string;
  earlier?: string[];
  recorded: string;
  rerun: string;
  codes?: [number | null, number | null];
}

/** Differences by the cause that is to be found, with what each shows. */
export const cases: [Cause, string, Case][] = [
  [
    "time",
    "date",
    { command: "date", recorded: "Sun Nov 29 18:30:08 UTC 2026\n", rerun: "Sun Nov 29 18:30:09 UTC 2026\n" },
  ],
  [
    "time",
    "date with a format of its own",
    { command: "date +%Y/%m/%d", recorded: "2026/11/29\n", rerun: "2026/11/30\n" },
  ],
  ["time", "seconds since 1970", { command: "date +%s", recorded: "1795977008\n", rerun: "1795977111\n" }],
  [
    "time",
    "epoch inside Python",
    { command: "python3 -c 'import time; print(time.time())'", recorded: "1795977008.25\n", rerun: "1795977111.5\n" },
  ],
  [
    "time",
    "file times in ls -la",
    {
      command: "touch a; ls -la",
      recorded: "total 8\n-rw-r--r-- 1 u u 0 Nov 29 18:30 a\n",
      rerun: "total 8\n-rw-r--r-- 1 u u 0 Nov 29 19:02 a\n",
    },
  ],
  [
    "time",
    "log lines",
    { command: "./serve.sh", recorded: "2026-11-29T18:30:08Z ready\n", rerun: "2026-11-29T18:44:00Z ready\n" },
  ],
  [
    "time",
    "a log written before",
    { command: "cat run.log", earlier: ["date +%s > run.log"], recorded: "1795977008\n", rerun: "1795977111\n" },
  ],
  ["pid", "background job and its number", { command: "sleep 60 & echo $!", recorded: "812\n", rerun: "9011\n" }],
  ["pid", "own process number", { command: "echo $$", recorded: "4\n", rerun: "7\n" }],
  ["pid", "pgrep", { command: "pgrep feeder", recorded: "15\n16\n", rerun: "22\n23\n" }],
  [
    "pid",
    "ps",
    {
      command: "ps",
      recorded: "  PID TTY TIME CMD\n 12 ? 00:00:00 bash\n",
      rerun: "  PID TTY TIME CMD\n 14 ? 00:00:00 bash\n",
    },
  ],
  [
    "pid",
    "another set of processes",
    {
      command: "ps aux | grep feeder",
      recorded: "user 12 0.0 feeder\nuser 14 0.0 grep feeder\n",
      rerun: "user 12 0.0 feeder\n",
    },
  ],
  [
    "pid",
    "job line",
    { command: "jobs -l", recorded: "[1]+ 812 Running sleep 60\n", rerun: "[1]+ 12345 Running sleep 60\n" },
  ],
  [
    "pid",
    "a number kept in a variable",
    {
      command: 'echo "worker $P"',
      earlier: ["sleep 50 & P=$!", "true"],
      recorded: "worker 812\n",
      rerun: "worker 77\n",
    },
  ],
  ["temp-name", "mktemp", { command: "mktemp", recorded: "/tmp/tmp.AbCdEf1234\n", rerun: "/tmp/tmp.0987zyxwvu\n" }],
  [
    "temp-name",
    "mktemp with a template",
    { command: "mktemp -d /tmp/build-XXXX", recorded: "/tmp/build-aB3d\n", rerun: "/tmp/build-Zz9q\n" },
  ],
  [
    "temp-name",
    "name kept in a variable",
    {
      command: 'echo "in $WORK"',
      earlier: ["export WORK=$(mktemp -d /tmp/w.XXXX)"],
      recorded: "in /tmp/w.aB3d\n",
      rerun: "in /tmp/w.Zz9q\n",
    },
  ],
  [
    "order",
    "lines of find",
    { command: "find . -name '*.c'", recorded: "./a.c\n./b.c\n./c.c\n", rerun: "./b.c\n./a.c\n./c.c\n" },
  ],
  [
    "order",
    "set of Python",
    { command: "python3 -c \"print({'a','b'})\"", recorded: "{'a', 'b'}\n", rerun: "{'b', 'a'}\n" },
  ],
  ["order", "background race", { command: "(echo a) & echo b; wait", recorded: "b\na\n", rerun: "a\nb\n" }],
  [
    "order",
    "background work that came too late",
    { command: "(sleep 0.01; echo late) & sleep 0.01; echo b", recorded: "late\nb\n", rerun: "b\n" },
  ],
  [
    "order",
    "a file that background work had not written yet",
    {
      command: "cat out.txt",
      earlier: ["(sleep 0.1; echo x > out.txt) &"],
      recorded: "x\n",
      rerun: "cat: out.txt: No such file or directory\n",
      codes: [0, 1],
    },
  ],
  ["duration", "time", { command: "time make", recorded: "ok\nreal\t0m0.003s\n", rerun: "ok\nreal\t0m0.019s\n" }],
  ["duration", "tests", { command: "pytest -q", recorded: "3 passed in 0.12s\n", rerun: "3 passed in 0.15s\n" }],
  [
    "duration",
    "throughput",
    {
      command: "dd if=/dev/zero of=x bs=1M count=1",
      recorded: "1048576 bytes (1.0 MB) copied, 0.0012 s, 870 MB/s\n",
      rerun: "1048576 bytes (1.0 MB) copied, 0.0031 s, 338 MB/s\n",
    },
  ],
  ["duration", "SECONDS", { command: "echo took $SECONDS", recorded: "took 3\n", rerun: "took 5\n" }],
  [
    "address",
    "object",
    {
      command: "python3 -c 'print(object())'",
      recorded: "<object object at 0x7f12ab34cd56>\n",
      rerun: "<object object at 0x7f99ab34cd56>\n",
    },
  ],
  [
    "address",
    "an id in a log",
    {
      command: "./serve.sh",
      recorded: "id 123e4567-e89b-12d3-a456-426614174000\n",
      rerun: "id 923e4567-e89b-12d3-a456-426614174000\n",
    },
  ],
  [
    "network",
    "no name resolution",
    {
      command: "curl https://example.org/a",
      recorded: "hello\n",
      rerun: "curl: (6) Could not resolve host: example.org\n",
      codes: [0, 6],
    },
  ],
  [
    "network",
    "another page",
    { command: "curl -s https://example.org/a", recorded: "version 5\n", rerun: "version 6 now\n" },
  ],
  [
    "network",
    "packages",
    {
      command: "pip install six",
      recorded: "Successfully installed six-1.16.0\n",
      rerun: "ERROR: No matching distribution found for six\n",
      codes: [0, 1],
    },
  ],
  [
    "missing-file",
    "a file",
    {
      command: "cat notes.txt",
      recorded: "hello\n",
      rerun: "cat: notes.txt: No such file or directory\n",
      codes: [0, 1],
    },
  ],
  [
    "missing-file",
    "a program",
    { command: "jq . a.json", recorded: "{}\n", rerun: "bash: line 1: jq: command not found\n", codes: [0, 127] },
  ],
  [
    "missing-file",
    "there now, not then",
    {
      command: "cat notes.txt",
      recorded: "cat: notes.txt: No such file or directory\n",
      rerun: "hello\n",
      codes: [1, 0],
    },
  ],
  ["randomness", "RANDOM", { command: "echo $RANDOM", recorded: "4711\n", rerun: "18\n" }],
  ["randomness", "shuffled lines", { command: "shuf names.txt", recorded: "a\nb\nc\n", rerun: "c\na\nb\n" }],
  [
    "randomness",
    "bytes",
    { command: "head -c 8 /dev/urandom | xxd", recorded: "00000000: 1234 abcd\n", rerun: "00000000: 9999 0000\n" },
  ],
  [
    "randomness",
    "through a file",
    {
      command: "cat key.txt",
      earlier: ["echo hi", "openssl rand -hex 8 > key.txt"],
      recorded: "aa11bb22\n",
      rerun: "0f0f0f0f\n",
    },
  ],
  [
    "randomness",
    "through a script",
    {
      command: "bash roll.sh",
      earlier: ["cat > roll.sh <<'EOF'\necho $((RANDOM % 6))\necho $RANDOM\nEOF"],
      recorded: "3\n12\n",
      rerun: "5\n77\n",
    },
  ],
  ["exit-code", "the code alone", { command: "./check", recorded: "done\n", rerun: "done\n", codes: [0, 1] }],
  [
    "exit-code",
    "equal but for a time, and another code",
    { command: "./check", recorded: "18:30:08 done\n", rerun: "18:31:09 done\n", codes: [0, 1] },
  ],
  [
    "exit-code",
    "another result and another code",
    { command: "make test", recorded: "1 passed\n", rerun: "1 failed\n", codes: [0, 2] },
  ],
  [
    "other",
    "a number that is no process number",
    { command: "wc -l a.txt", recorded: "812 a.txt\n", rerun: "813 a.txt\n" },
  ],
  [
    "other",
    "a bare number from a command that shows no process",
    { command: "cat count", recorded: "812\n", rerun: "77\n" },
  ],
  [
    "other",
    "a changed word beside a time",
    { command: "./serve.sh", recorded: "18:30:08 ready\n", rerun: "18:31:09 failed\n" },
  ],
  ["other", "sorted lines of other content", { command: "sort a.txt", recorded: "a\nb\nc\n", rerun: "a\nb\nd\n" }],
  ["other", "a line more", { command: "ls", recorded: "a\nb\n", rerun: "a\nb\nc\n" }],
  ["other", "a version", { command: "python3 --version", recorded: "Python 3.11.2\n", rerun: "Python 3.12.1\n" }],
  [
    "other",
    "an epoch-like number that no clock made",
    { command: "cat serial", recorded: "1795977008\n", rerun: "1795977111\n" },
  ],
  ["other", "only white space", { command: "cat a", recorded: "a  b\n", rerun: "a b\n" }],
  [
    "other",
    "a changed word of a command that also names a temporary file",
    { command: "cat /tmp/tmp.abcdef1234 b", recorded: "one\n", rerun: "two three\n" },
  ],
  [
    "other",
    "a message both runs have about a missing file",
    {
      command: "ls x y",
      recorded: "ls: cannot access 'x': No such file or directory\ny\n",
      rerun: "ls: cannot access 'x': No such file or directory\nz\n",
    },
  ],
  [
    "other",
    "the loopback refused",
    { command: "cat status", recorded: "up\n", rerun: "connect to 127.0.0.1: Connection refused\n" },
  ],
];
