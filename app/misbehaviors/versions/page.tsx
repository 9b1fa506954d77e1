import type { Metadata } from "next";
import Link from "next/link";
import { under } from "@/app/misbehaviors/shown";
import { Page } from "@/components/shell/page";
import { Badge } from "@/components/ui/badge";
import { TableFrame, Td, Th } from "@/components/ui/table";
import { getDb } from "@/db/client";
import { listTaxonomies, lookedAt, pseudoCounts, taxonomyInForce, typesOf } from "@/db/queries/taxonomies";
import { ALL_ERRORS, scopesOf } from "@/db/schema/errors";
import { formatCount, formatShare, formatTime } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";
import { ImportForm } from "./import-form";

export const metadata: Metadata = { title: "Taxonomy versions" };
export const dynamic = "force-dynamic";

const ORIGIN: Record<string, string> = {
  builtin: "built in",
  dataset: "data set's categories",
  annotator: "built from error steps",
  edited: "edited or imported",
};

export default function VersionsPage() {
  const db = getDb();
  const rows = listTaxonomies(db, { datasets: true });
  const inForce = taxonomyInForce(db);
  const pseudo = pseudoCounts(db);
  const errorSteps = pseudo.get(ALL_ERRORS) ?? 0;
  return (
    <Page
      title="Taxonomy versions"
      term="taxonomy"
      note="A version never changes: edits and builds make the next one, and every number can be had under each."
      actions={
        <Link href="/misbehaviors" className="text-sm text-accent hover:underline">
          Misbehaviors
        </Link>
      }
    >
      <TableFrame label="Taxonomy versions">
        <thead>
          <tr>
            <Th>Version</Th>
            <Th>From</Th>
            <Th className="text-right">Misbehaviors</Th>
            <Th className="text-right">Long tail, retired</Th>
            <Th className="text-right">Error steps with one</Th>
            <Th className="text-right">To relabel</Th>
            <Th>By</Th>
            <Th>Made</Th>
            <Th>Note</Th>
          </tr>
        </thead>
        <tbody>
          {rows.map((t) => {
            const types = typesOf(db, t.id);
            const named = types.filter((type) => type.named === 1).length;
            const counted = t.status === "done" && t.origin !== "dataset";
            const withOne = pseudo.get(scopesOf(t.id).named) ?? 0;
            return (
              <tr key={t.id} className="hover:bg-raised/60">
                <Td className="foreign min-w-36">
                  <Link href={`/misbehaviors/versions/${t.id}`} className="text-accent hover:underline">
                    {visible(t.name)} {t.version}
                  </Link>{" "}
                  {t.id === inForce ? <Badge tone="accent">in force</Badge> : null}
                  {t.status === "building" ? <Badge tone="warn">being built</Badge> : null}
                  {t.status === "failed" ? <Badge tone="bad">failed</Badge> : null}
                </Td>
                <Td className="whitespace-nowrap text-muted">{ORIGIN[t.origin] ?? t.origin}</Td>
                <Td className="text-right">
                  {counted ? (
                    <Link
                      href={under("/misbehaviors", t.id === inForce ? null : t.id)}
                      className="text-accent hover:underline"
                    >
                      {formatCount(named)}
                    </Link>
                  ) : (
                    formatCount(named)
                  )}
                </Td>
                <Td className="text-right">{formatCount(types.length - named)}</Td>
                <Td className="text-right">
                  {counted ? (
                    <>
                      {formatCount(withOne)} <span className="text-muted">({formatShare(withOne, errorSteps)})</span>
                    </>
                  ) : (
                    <span className="text-muted">—</span>
                  )}
                </Td>
                <Td className="text-right">{formatCount(lookedAt(db, t.id).stale)}</Td>
                <Td className="foreign">{visible(t.author ?? "—")}</Td>
                <Td className="whitespace-nowrap">{formatTime(t.createdAt)}</Td>
                <Td className="foreign max-w-80 min-w-48 text-muted">{visible(t.note ?? "")}</Td>
              </tr>
            );
          })}
        </tbody>
      </TableFrame>
      <ImportForm />
    </Page>
  );
}
