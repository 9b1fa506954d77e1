import "server-only";
import { createHash } from "node:crypto";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { Db } from "./client";
import { statement } from "./statement";

/** Below this many bytes packing gains nothing. */
const PACK_FROM = 200;

/** Stores bytes or text once, by content; gives back its hash (hex SHA-256 of the plain bytes). Call it in the transaction that refers to it. */
export function putBlob(db: Db, content: Buffer | string): string {
  const plain = typeof content === "string" ? Buffer.from(content, "utf8") : content;
  const hash = createHash("sha256").update(plain).digest("hex");
  const packed = plain.byteLength >= PACK_FROM ? deflateRawSync(plain) : plain;
  const smaller = packed.byteLength < plain.byteLength;
  statement(db, "insert or ignore into blob (hash, codec, bytes, data) values (?, ?, ?, ?)").run(
    hash,
    smaller ? "deflate-raw" : "plain",
    plain.byteLength,
    smaller ? packed : plain,
  );
  return hash;
}

/** The bytes of a blob. Throws when the index does not have it: a reference without its blob is a defect. */
export function getBlob(db: Db, hash: string): Buffer {
  const row = statement(db, "select codec, data from blob where hash = ?").get(hash) as
    | { codec: string; data: Buffer }
    | undefined;
  if (!row) throw new Error(`blob ${hash} is not in the index; "misstep doctor" tells more`);
  return row.codec === "deflate-raw" ? inflateRawSync(row.data) : row.data;
}
