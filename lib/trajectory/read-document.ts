import { createHash } from "node:crypto";
import { documentFormat } from "./formats";
import type { DocumentContext, Parsed } from "./formats/module";
import { notTrajectory } from "./formats/other";
import { totals } from "./totals";
import type { Json } from "./types";
import type { ImportUnit, ReadResult } from "./unit";

export interface Emit {
  /** A parser's part as a result. `base` is what its content is hashed from when it has no digest of its own. */
  part(part: Parsed, base: { bytes: Buffer; mark: string; warnings: string[] } | null): ReadResult;
  refuse(part: string, reason: string, hint: string | null, position: string | null): ReadResult;
  skip(part: string, reason: string): ReadResult;
}

/** Turns what parsers give into results that name unit, place and content hash. */
export function emitter(unit: ImportUnit): Emit {
  const key = (part: string) => (part === "" ? unit.key : `${unit.key}#${part}`);
  const place = unit.member === null || unit.member === "" ? unit.path : `${unit.path}!/${unit.member}`;
  const emit: Emit = {
    refuse: (part, reason, hint, position) => ({
      kind: "refused",
      refusal: { key: key(part), path: place, position: position ?? (part === "" ? null : part), reason, hint },
    }),
    skip: (part, reason) => ({ kind: "skipped", skip: { key: key(part), path: place, reason } }),
    part(part, base) {
      const mark = base?.mark ?? "";
      if (part.kind === "refused") return emit.refuse(mark + part.part, part.reason, part.hint, part.position ?? null);
      if (part.kind === "skipped") return emit.skip(mark + part.part, part.reason);
      const { trajectory } = part;
      const hash = createHash("sha256");
      if (part.digest) for (const piece of part.digest) hash.update(piece);
      else if (base) {
        hash.update(base.bytes);
        if (trajectory.key !== "") hash.update(`\0${trajectory.key}`);
      }
      for (const message of base?.warnings ?? []) trajectory.warnings.push({ path: mark, message });
      trajectory.key = mark + trajectory.key;
      if (trajectory.parentKey !== null) trajectory.parentKey = mark + trajectory.parentKey;
      return { kind: "trajectory", trajectory: totals(trajectory), hash: hash.digest("hex") };
    },
  };
  return emit;
}

/** Reads one JSON value that came from `bytes`: the trajectories of its format, or why it is none. */
export async function* readValue(
  value: Json,
  bytes: Buffer,
  context: DocumentContext,
  warnings: string[],
  emit: Emit,
  mark = "",
): AsyncGenerator<ReadResult> {
  const format = documentFormat(value);
  if (!format) {
    yield emit.skip(mark, notTrajectory(value));
    return;
  }
  for await (const part of format.parse(value, context)) yield emit.part(part, { bytes, mark, warnings });
}
