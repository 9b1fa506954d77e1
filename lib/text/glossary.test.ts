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

test.each([
  ["home/funnel.tsx", ["environment", "rollout", "step", "error step", "misbehavior", "correction", "prefix"]],
  ["study/page.tsx", ["study"]],
  ["prefixes/[id]/page.tsx", ["prefix"]],
  ["prefixes/rules-table.tsx", ["rerun check"]],
  ["misbehaviors/[slug]/page.tsx", ["misbehavior"]],
  ["environments/[id]/page.tsx", ["environment"]],
  ["profiles/[id]/tiles.tsx", ["rollout", "error step"]],
  ["localizers/page.tsx", ["localizer", "label"]],
  ["train/training-table.tsx", ["outcome reward", "behavior reward"]],
  ["train/[id]/curves.tsx", ["outcome reward", "dead group"]],
  ["train/[id]/kept.tsx", ["checkpoint"]],
  ["train/[id]/drift.tsx", ["behavior judge"]],
  ["compare/measurement-table.tsx", ["checkpoint"]],
  ["evaluate/selection/page.tsx", ["checkpoint"]],
  ["cost/trainings.tsx", ["dead group"]],
  ["../components/reader/toolbar.tsx", ["error step", "correction"]],
])("app/%s says what its words are, where they come first", (file, words) => {
  const source = fs.readFileSync(path.join(root, "app", file), "utf8");
  expect(words.filter((word) => !source.includes(`"${word}"`))).toEqual([]);
});
