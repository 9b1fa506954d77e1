import { expect, test } from "vitest";
import { explain } from "./failure";
import { homeName, indexFile } from "./home";

test("two homes are told apart by a short name; a hidden folder is named with the one above it", () => {
  expect(
    ["/srv/terminal-bench", "/srv/terminal-bench/", "/srv/misstep/.misstep", "/.misstep", "/"].map(homeName),
  ).toEqual(["terminal-bench", "terminal-bench", "misstep/.misstep", ".misstep", "/"]);
});

test("a failure of the index says where the index is; that of another file names it itself", () => {
  const sqlite = Object.assign(new Error("file is not a database"), { code: "SQLITE_NOTADB" });
  expect(explain(sqlite)).toBe(
    `file is not a database (${indexFile()}). The index is damaged. Restore a backup: misstep restore FILE (backups lie in backups/ of MISSTEP_HOME).`,
  );
  expect(indexFile({ MISSTEP_HOME: "/nowhere/at/all" } as unknown as NodeJS.ProcessEnv)).toBe(
    "/nowhere/at/all/misstep.db",
  );
  const disk = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
  expect(explain(disk)).toMatch(/^ENOSPC: no space left on device, write\. The disk is full\./);
});
