import Link from "next/link";
import type { AnnotatorChoice } from "@/app/misbehaviors/labels-form";
import { TableFrame, Td, Th } from "@/components/ui/table";
import { indexOf, trajectoryOf } from "@/db/ids";
import type { Looked } from "@/db/queries/taxonomies";
import type { StaleStep } from "@/db/queries/taxonomy-flow";
import { formatCount, plural } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";
import { RelabelForm } from "./relabel-form";

/** What annotators made of the error steps, and the labels that wait for a relabel. */
export function Stale({
  taxonomyId,
  looked,
  everything,
  steps,
  pageSize,
  base,
  annotators,
  open,
}: {
  taxonomyId: number;
  looked: Looked;
  /** The rules see every step, so only what is to be redone has an assignment. */
  everything: boolean;
  steps: StaleStep[];
  pageSize: number;
  base: string;
  annotators: AnnotatorChoice[];
  /** Labels may change under this version. */
  open: boolean;
}) {
  return (
    <section id="stale" className="flex min-w-0 flex-col gap-2">
      <h2 className="font-medium">
        Labels{" "}
        <span className="text-sm font-normal text-muted">
          {everything
            ? "from rules that see every step"
            : `${formatCount(looked.labelled)} error steps with a type, ${formatCount(looked.none)} that fit none, ${formatCount(looked.failed)} failed, ${formatCount(looked.unparsed)} unreadable`}
          ; {formatCount(looked.stale)} to relabel
        </span>
      </h2>
      {open ? <RelabelForm taxonomyId={taxonomyId} stale={looked.stale} annotators={annotators} /> : null}
      {steps.length > 0 ? (
        <>
          <TableFrame label="Labels that wait for a relabel">
            <thead>
              <tr>
                <Th>Step</Th>
                <Th>Type before the edit</Th>
                <Th>Task</Th>
                <Th>Command</Th>
              </tr>
            </thead>
            <tbody>
              {steps.map((s) => (
                <tr key={s.stepId} className="hover:bg-raised/60">
                  <Td className="whitespace-nowrap">
                    <Link
                      href={`/trajectories/${trajectoryOf(s.stepId)}?entry=${indexOf(s.stepId)}`}
                      prefetch={false}
                      className="text-accent hover:underline"
                    >
                      {trajectoryOf(s.stepId)}, entry {indexOf(s.stepId)}
                    </Link>
                  </Td>
                  <Td className="foreign min-w-36">{visible(s.types) || "none"}</Td>
                  <Td className="foreign min-w-32 text-muted">{visible(s.task ?? "—")}</Td>
                  <Td className="foreign max-w-md truncate font-mono text-xs">{visible(s.preview)}</Td>
                </tr>
              ))}
            </tbody>
          </TableFrame>
          {steps.length === pageSize ? (
            <Link
              href={`${base}?stale=${steps.at(-1)?.stepId}#stale`}
              className="self-start text-sm text-accent hover:underline"
            >
              Next of {plural(looked.stale, "step")}
            </Link>
          ) : null}
        </>
      ) : null}
    </section>
  );
}
