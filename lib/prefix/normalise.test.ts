import fc from "fast-check";
import { expect, test } from "vitest";
import { normalise } from "./normalise";

/** Two outputs that the normalised rule takes for the same. */
test.each([
  ["ls -l times", "-rw-r--r-- 1 a a 12 Nov 29 18:30 notes.txt", "-rw-r--r-- 1 a a 12 Nov  3 09:01 notes.txt"],
  ["ls -l of another year", "-rw-r--r-- 1 a a 12 Nov 29 18:30 x", "-rw-r--r-- 1 a a 12 Jan  1  2024 x"],
  ["ls -la total", "total 8\ndrwx", "total 12\ndrwx"],
  ["stat", "Modify: 2026-11-29 18:30:08.123456789 +0000", "Modify: 2026-11-30 01:02:03.000000001 +0000"],
  ["date", "Sun Nov 29 18:30:08 UTC 2026", "Mon Nov 30 08:00:00 UTC 2026"],
  ["HTTP date", "Date: Sun, 29 Nov 2026 18:30:08 GMT", "Date: Mon, 30 Nov 2026 18:30:09 GMT"],
  ["access log", '- [29/Nov/2026:18:30:08 +0000] "GET /"', '- [30/Nov/2026:01:00:00 +0000] "GET /"'],
  ["syslog", "Nov 29 18:30:08 host cron[123]: ran", "Nov 29 18:31:09 host cron[4567]: ran"],
  ["clock", "18:30:08 INFO ready", "19:00:00 INFO ready"],
  ["background job", "[1] 4711", "[1] 812"],
  ["pkill -e", "feeder killed (pid 4711)", "feeder killed (pid 12)"],
  ["killed in a script", "run.sh: line 3:   471 Killed    sleep 9", "run.sh: line 3: 12345 Killed    sleep 9"],
  ["mktemp", "/tmp/tmp.AbCdEf1234", "/tmp/tmp.ZyXwVu9876"],
  ["tempfile of Python", "wrote /tmp/tmpab12cd34/out", "wrote /tmp/tmpzz99yy88/out"],
  ["pytest", "3 passed in 0.12s", "3 passed in 1.40s"],
  ["time", "real\t0m0.003s", "real\t0m1.250s"],
  ["dd", "1 MB copied, 0.0012 s, 870 MB/s", "1 MB copied, 0.0031 s, 338 MB/s"],
  ["progress", "at  45%, go on", "at 100%, go on"],
  ["object address", "<Foo object at 0x7f12ab34cd56>", "<Foo object at 0x7fffab34cd00>"],
  ["UUID", "id 123e4567-e89b-12d3-a456-426614174000", "id 00000000-e89b-12d3-a456-426614174fff"],
  [
    "ps",
    "    PID TTY          TIME CMD\n   1204 ?        00:00:00 bash\n  12050 ?        00:00:01 ps",
    "    PID TTY          TIME CMD\n     12 ?        00:00:00 bash\n     15 ?        00:00:00 ps",
  ],
  [
    "ps -ef",
    "UID   PID  PPID  C STIME TTY   TIME CMD\nuser   12     1  0 18:30 ?  00:00:00 sleep 100",
    "UID   PID  PPID  C STIME TTY   TIME CMD\nuser  312    10  3 19:31 ?  00:00:02 sleep 100",
  ],
])("%s: kept", (_, recorded, rerun) => {
  expect(normalise(recorded)).toBe(normalise(rerun));
});

/** Differences that no rule takes away. */
test.each([
  ["a size", "-rw-r--r-- 1 a a 12 Nov 29 18:30 x", "-rw-r--r-- 1 a a 13 Nov 29 18:30 x"],
  ["a mode", "-rw-r--r-- 1 a a 12 Nov 29 18:30 x", "-rwxr--r-- 1 a a 12 Nov 29 18:30 x"],
  ["a name", "-rw-r--r-- 1 a a 12 Nov 29 18:30 x", "-rw-r--r-- 1 a a 12 Nov 29 18:30 y"],
  ["a number that is no process", "4711 lines", "4712 lines"],
  ["a bare number", "4711", "812"],
  ["a word beside a time", "18:30:08 INFO ready", "18:30:08 INFO failed"],
  ["the order of lines", "b\na", "a\nb"],
  ["another program in ps", "  PID TTY TIME CMD\n 12 ? 00:00:00 bash", "  PID TTY TIME CMD\n 12 ? 00:00:00 dash"],
  ["a version", "python 3.11.2", "python 3.12.1"],
  ["a word that begins with tmp", "/data/tmpfiles", "/data/tmptrees"],
  ["a count of passed tests", "3 passed in 0.12s", "2 passed in 0.12s"],
  ["a short constant", "mask 0x10", "mask 0x20"],
  ["a port", "listening on 127.0.0.1:8080", "listening on 127.0.0.1:8081"],
])("%s: not kept", (_, recorded, rerun) => {
  expect(normalise(recorded)).not.toBe(normalise(rerun));
});

const piece = fc.oneof(
  fc.constantFrom(
    "Nov 29 18:30 ",
    "2026-11-29T18:30:08Z",
    "pid 12",
    "[1] 44",
    "/tmp/tmp.abcdef1234",
    "0.12s",
    "45%",
    "0x7f12ab34cd56",
    "  PID TTY TIME CMD\n",
    " 12 ? 00:00:01 ps\n",
    "total 8",
    "‹time›",
    "\n",
    " ",
    ":",
    ".",
    "12",
    "s",
  ),
  fc.string({ maxLength: 6 }),
);

test("normalising twice changes nothing more, and never the number of lines", () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      const text = pieces.join("");
      const once = normalise(text);
      expect(normalise(once)).toBe(once);
      expect(once.split("\n").length).toBe(text.split("\n").length);
    }),
    { numRuns: 2000 },
  );
});
