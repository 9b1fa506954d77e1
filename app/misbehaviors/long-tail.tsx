import Link from "next/link";
import { TableFrame, Td, Th } from "@/components/ui/table";
import type { TypeRow } from "@/db/queries/taxonomies";
import { formatCount, formatShare, plural } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";
import { under } from "./shown";

/** Types too rare to count as misbehaviors, and retired ones: they stay to be looked at. */
export function LongTail({
  types,
  errorSteps,
  linked,
}: {
  types: TypeRow[];
  errorSteps: number;
  linked: number | null;
}) {
  if (types.length === 0) return null;
  return (
    <section className="flex min-w-0 flex-col gap-2">
      <h2 className="font-medium">
        Long tail{" "}
        <span className="text-sm font-normal text-muted">
          {plural(types.length, "type")} that{" "}
          {types.length === 1 ? "does not count as a misbehavior" : "do not count as misbehaviors"}; editing the types
          brings one back
        </span>
      </h2>
      <TableFrame label="Long tail">
        <thead>
          <tr>
            <Th>Type</Th>
            <Th>Why here</Th>
            <Th className="text-right">Error steps</Th>
            <Th className="text-right">Share of error steps</Th>
            <Th>Definition</Th>
          </tr>
        </thead>
        <tbody>
          {types.map((t) => (
            <tr key={t.id} className="hover:bg-raised/60">
              <Td className="foreign min-w-44">
                <Link href={under(`/misbehaviors/${t.slug}`, linked)} className="text-accent hover:underline">
                  {visible(t.name)}
                </Link>
              </Td>
              <Td className="whitespace-nowrap text-muted">
                {t.status === "retired" ? "retired" : t.errorSteps === 0 ? "seen too seldom to label with" : "too rare"}
              </Td>
              <Td className="text-right">{formatCount(t.errorSteps)}</Td>
              <Td className="text-right">{formatShare(t.errorSteps, errorSteps)}</Td>
              <Td className="foreign min-w-64 text-muted">{visible(t.definition)}</Td>
            </tr>
          ))}
        </tbody>
      </TableFrame>
    </section>
  );
}
