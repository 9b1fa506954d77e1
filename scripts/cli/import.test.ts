import { expect, test } from "vitest";
import { openMemoryDb } from "@/db/client";
import type { JobRow } from "@/lib/jobs/queue";
import { importReport, lines } from "./import";

function report() {
  const db = openMemoryDb();
  db.$client.exec(`insert into job (id, kind, title, params, status, counts, requested_by)
      values (7, 'import', 'Import', '{}', 'done', '{"imported":1,"skipped":2,"steps":3}', 'cli');
    insert into import_file (job_id, key, path, status, reason, hint) values
      (7, 'README.md', '/x/README.md', 'skipped', 'no JSON', null), (7, 'labels.json', '/x/labels.json', 'skipped', 'labels of other files', 'they are read with these');`);
  return importReport(db, db.$client.prepare("select * from job where id = 7").get() as JobRow);
}

test("skipped files are named with their reason when asked for, else it is said where they are", () => {
  const [short, verbose] = [lines(report(), false), lines(report(), true)];
  expect(short.join("\n")).toMatch(/2 other files skipped[\s\S]*\/jobs\/7[\s\S]*--verbose/);
  expect(short.join("\n")).not.toContain("README.md");
  expect(verbose).toEqual(
    expect.arrayContaining([
      "skipped:",
      "  README.md: no JSON",
      "  labels.json: labels of other files. they are read with these",
    ]),
  );
  expect(verbose.join("\n")).not.toContain("--verbose");
});
