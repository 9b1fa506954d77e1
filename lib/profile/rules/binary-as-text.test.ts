import { expect, it } from "vitest";
import { type Case, flagged, run } from "./steps.fixture";

const bytes = "\u007fELF\u0002\u0001\u0001\u0000\u0000\u0000\u0000\ufffd\ufffd\u0003\u0000>\u0000\u0001\u0000";
const cases: Case[] = [
  ["a picture", [run("cat cow.png", "\ufffdPNG\r\n\u001a\n\u0000\u0000\u0000\rIHDR\u0000\u0000")], [0]],
  ["a program", [run("cat /usr/local/bin/barn", bytes)], [0]],
  ["the first bytes", [run("head -c 200 lib.so", bytes)], [0]],
  ["through another display command", [run("cat data.bin | head -20", bytes)], [0]],
  [
    "known from file, nothing came back",
    [run("file barn", "barn: ELF 64-bit LSB executable"), run("cat barn", null)],
    [1],
  ],
  ["known by name, nothing came back", [run("less cow.jpg", null)], [0]],
  ["known by the longer name of its kind, nothing came back", [run("head barn.gzip", null)], [0]],
  [
    "the harness could not decode it",
    [run("cat cow.zip", "UnicodeDecodeError: 'utf-8' codec can't decode byte 0x8b")],
    [0],
  ],
  ["among other commands", [run("cd /app && ls && tail -n 3 farm.sqlite", bytes)], [0]],
  ["a hex dump", [run("xxd cow.png | head", "00000000: 8950 4e47")], []],
  ["extracted strings", [run("strings barn | head", "GLIBC")], []],
  ["piped into a dump", [run("cat cow.png | xxd | head", "00000000: 8950")], []],
  ["copied, not shown", [run("cat a.bin b.bin > c.bin", "")], []],
  ["a text that is called .bin", [run("cat readme.bin", "hello\n")], []],
  ["a file that is not there", [run("cat cow.png", "cat: cow.png: No such file or directory", 1)], []],
  ["colours and progress lines are text", [run("cat build.log", "\u001b[31mred\u001b[0m\r10%\r20%\b\n")], []],
  ["a stray broken character in a long text", [run("cat notes.txt", `caf\ufffd${" and more text".repeat(50)}`)], []],
  ["inside a substitution", [run('x=$(head -c 4 cow.png); echo "$x"', "\ufffdPNG")], []],
];

it.each(cases)("binary-as-text: %s", (_name, steps, expected) => {
  expect(flagged("binary-as-text", steps)).toEqual(expected);
});
