import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { GLOSSARY } from "./glossary";

const root = path.resolve(import.meta.dirname, "../..");
const pages = fs
  .readdirSync(path.join(root, "app"), { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".tsx"))
  .map((name) => fs.readFileSync(path.join(root, "app", name), "utf8"))
  .join("\n");

test("every word of the method is explained where it appears, in one line", () => {
  for (const [name, { says }] of Object.entries(GLOSSARY)) {
    expect([name, pages.includes(`<Term name="${name}"`) || pages.includes(`term="${name}"`)]).toEqual([name, true]);
    expect([name, says.length < 140, says.endsWith(".")]).toEqual([name, true, true]);
  }
});
