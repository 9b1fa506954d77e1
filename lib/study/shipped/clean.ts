import "server-only";
import os from "node:os";
import { inflateRawSync } from "node:zlib";
import type { Db } from "@/db/client";
import { plain } from "@/db/codec";
import { home, projectRoot } from "@/db/home";

/** The index cannot be packed as it is. The message says why and what to do. */
export class NotPackable extends Error {}

/** Settings that belong to a study; others are of a person or a machine. */
const SETTINGS = ["study", "study-report", "taxonomy"];
const UNFINISHED = "('queued', 'running', 'paused')";
/** Tables about this machine and its people. */
const DROPPED = [
  "import_file",
  "audit",
  "auth_invitation",
  "auth_rate_limit",
  "auth_verification",
  "auth_session",
  "auth_account",
  "auth_user",
];

/** Columns that hold text, of all ordinary tables. */
export function textColumns(db: Db): { table: string; column: string }[] {
  const tables = db.$client
    .prepare(
      "select name from sqlite_master where type = 'table' and name not like 'sqlite\\_%' escape '\\' and name not like '%\\_fts%' escape '\\'",
    )
    .pluck()
    .all() as string[];
  return tables.flatMap((table) =>
    (db.$client.pragma(`table_info(${table})`) as { name: string; type: string }[])
      .filter((column) => column.type === "TEXT")
      .map((column) => ({ table, column: column.name })),
  );
}

/** Paths of this machine, longest first, and the words that stand for them in what is shipped. */
const places = (): [found: string, word: string][] =>
  (
    [
      [home().root, "MISSTEP_HOME"],
      [projectRoot(), "MISSTEP"],
      [`${os.tmpdir()}/misstep`, "TMP/misstep"],
    ] as [string, string][]
  ).toSorted(([a], [b]) => b.length - a.length);

function refuseWhatCannotBe(db: Db): void {
  const count = (sql: string) => db.$client.prepare(sql).pluck().get() as number;
  const jobs = count(`select count(*) from job where status in ${UNFINISHED}`);
  if (jobs > 0) throw new NotPackable(`${jobs} jobs of this index are not finished; let them end, or cancel them`);
  const people = count("select count(*) from person");
  if (people > 0)
    throw new NotPackable(`${people} people have picked a name in this index; pack one that nobody reviewed in`);
}

/** Puts words in place of this machine's paths in every text. */
function replacePlaces(db: Db): void {
  for (const { table, column } of textColumns(db))
    for (const [found, word] of places())
      db.$client
        .prepare(`update ${table} set ${column} = replace(${column}, ?, ?) where instr(${column}, ?) > 0`)
        .run(found, word, found);
}

/**
 * Takes out of a copy of an index what belongs to the machine and its people, and unpacks its texts, which the archive
 * packs together. Throws NotPackable.
 */
export function cleanCopy(db: Db): void {
  refuseWhatCannotBe(db);
  const s = db.$client;
  s.function("misstep_plain", { deterministic: true }, (data: unknown) => plain(data as Buffer));
  for (const table of DROPPED) s.exec(`delete from ${table}`);
  s.prepare(`delete from setting where key not in (${SETTINGS.map(() => "?").join(", ")})`).run(...SETTINGS);
  s.exec(`
    update environment set directory = null;
    update rerun set host = null;
    update job set lease_owner = null, lease_until = null, heartbeat_at = null, placed = null, place = 'local';
    update chunk set data = misstep_plain(data);
    update trajectory_detail set data = misstep_plain(data);
  `);
  replacePlaces(db);
}

/** Places of an index, as "table.column", that still name this machine: its paths or its name. */
export function traces(db: Db): string[] {
  const host = os.hostname();
  const words = places().map(([found]) => found);
  // A short name is a part of other words.
  const names = host.length > 5 ? [...words, host] : words;
  const s = db.$client;
  const inTexts = textColumns(db).filter(({ table, column }) =>
    names.some((word) => s.prepare(`select 1 from ${table} where instr(${column}, ?) > 0 limit 1`).get(word)),
  );
  const holds = (bytes: Buffer) => names.some((word) => bytes.includes(word));
  const inData = (["chunk", "trajectory_detail"] as const).filter((table) => {
    for (const data of s.prepare(`select data from ${table}`).pluck().iterate())
      if (holds(plain(data as Buffer))) return true;
    return false;
  });
  const inBlobs = (s.prepare("select codec, data from blob").all() as { codec: string; data: Buffer }[]).some(
    ({ codec, data }) => holds(codec === "plain" ? data : inflateRawSync(data)),
  );
  return [
    ...inTexts.map(({ table, column }) => `${table}.${column}`),
    ...inData.map((table) => `${table}.data`),
    ...(inBlobs ? ["blob.data"] : []),
  ];
}
