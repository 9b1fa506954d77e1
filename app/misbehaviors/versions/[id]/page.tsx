import { Download } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import { annotatorChoices } from "@/app/misbehaviors/choices";
import { under } from "@/app/misbehaviors/shown";
import { Page } from "@/components/shell/page";
import { Button } from "@/components/ui/button";
import { TableFrame, Td, Th } from "@/components/ui/table";
import { Term } from "@/components/ui/term";
import { getDb } from "@/db/client";
import { getTaxonomy, listTaxonomies, lookedAt, taxonomyInForce, typesOf } from "@/db/queries/taxonomies";
import { batchDetail, batchesOf, countBatches } from "@/db/queries/taxonomy-batches";
import { operationsOf, staleSteps } from "@/db/queries/taxonomy-flow";
import { storedBatches } from "@/lib/taxonomy/batches";
import { discoveryCurve } from "@/lib/taxonomy/build/discovery";
import { replay } from "@/lib/taxonomy/build/replay";
import { taxonomyParams } from "@/lib/taxonomy/settings";
import { formatCount, formatTime } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";
import { Batches, BatchPanel } from "./batches";
import { Compare } from "./compare";
import { Discovery } from "./discovery";
import { Operations } from "./operations";
import { Settings } from "./settings";
import { Stale } from "./stale";

export const dynamic = "force-dynamic";

const BATCHES = 50;
const STALE = 20;
const number = (text: string | string[] | undefined): number | null =>
  typeof text === "string" && /^\d{1,16}$/.test(text) ? Number(text) : null;

export async function generateMetadata({ params }: PageProps<"/misbehaviors/versions/[id]">): Promise<Metadata> {
  const row = getTaxonomy(getDb(), number((await params).id) ?? 0);
  return { title: row ? `${visible(row.name)} ${row.version}` : "Not found" };
}

export default async function VersionPage({ params, searchParams }: PageProps<"/misbehaviors/versions/[id]">) {
  const db = getDb();
  const t = getTaxonomy(db, number((await params).id) ?? 0);
  if (!t) notFound();
  const query = await searchParams;
  const settings = taxonomyParams.safeParse(JSON.parse(t.params));
  const built = settings.success ? settings.data : {};
  const types = typesOf(db, t.id);
  const looked = lookedAt(db, t.id);
  const curve = discoveryCurve(replay(storedBatches(db, t.id)).sightings);
  const batches = countBatches(db, t.id);
  const skip = number(query.batches) ?? 0;
  const detail = number(query.batch);
  const batch = detail === null ? undefined : batchDetail(db, t.id, detail);
  const others = listTaxonomies(db).filter((o) => o.status === "done" && o.id !== t.id);
  const against = others.find((o) => o.id === (number(query.with) ?? t.parentId));
  const inForce = t.id === taxonomyInForce(db);
  const base = `/misbehaviors/versions/${t.id}`;
  return (
    <Page
      title={
        <span className="foreign">
          {visible(t.name)} {t.version}
        </span>
      }
      note={`${inForce ? "In force. " : ""}${t.status === "building" ? "Being built. " : t.status === "failed" ? "The build failed. " : ""}${
        types.length
      } types, made ${formatTime(t.createdAt)}${t.author ? ` by ${visible(t.author)}` : ""}${t.note ? `: ${visible(t.note)}` : ""}`}
      actions={
        <span className="flex w-full flex-wrap items-center gap-2 sm:w-auto">
          {t.jobId !== null ? (
            <Button asChild>
              <Link href={`/jobs/${t.jobId}`}>Job {t.jobId}</Link>
            </Button>
          ) : null}
          {t.status === "done" && t.origin !== "dataset" ? (
            <Button asChild variant="primary">
              <Link href={under("/misbehaviors", inForce ? null : t.id)}>Show the numbers</Link>
            </Button>
          ) : null}
          <Button asChild>
            <a href={`/api/taxonomies/${t.id}/export`} download>
              <Download aria-hidden /> Export
            </a>
          </Button>
          <Button asChild>
            <Link href="/misbehaviors/versions">All versions</Link>
          </Button>
        </span>
      }
    >
      {built.build ? <Settings build={built.build} result={built.result} /> : null}
      {curve.length > 0 ? <Discovery points={curve} /> : null}
      <TableFrame label="Types">
        <thead>
          <tr>
            <Th>
              Type <Term name="error type" />
            </Th>
            <Th>State</Th>
            <Th className="text-right">Error steps</Th>
            <Th>Labelled by rules</Th>
            <Th>Definition</Th>
          </tr>
        </thead>
        <tbody>
          {types.map((type) => (
            <tr key={type.id} className="hover:bg-raised/60">
              <Td className="foreign min-w-44">
                {t.status === "done" && t.origin !== "dataset" ? (
                  <Link
                    href={under(`/misbehaviors/${type.slug}`, inForce ? null : t.id)}
                    className="text-accent hover:underline"
                  >
                    {visible(type.name)}
                  </Link>
                ) : (
                  visible(type.name)
                )}
              </Td>
              <Td className="whitespace-nowrap">
                {t.origin === "dataset"
                  ? "category"
                  : { kept: "misbehavior", tail: "long tail", retired: "retired" }[
                      type.status as "kept" | "tail" | "retired"
                    ]}
              </Td>
              <Td className="text-right">{formatCount(type.errorSteps)}</Td>
              <Td className="text-muted">{type.detectors.join(", ") || "no"}</Td>
              <Td className="foreign min-w-64 text-muted">{visible(type.definition)}</Td>
            </tr>
          ))}
        </tbody>
      </TableFrame>
      {t.status === "done" && others.length > 0 && t.origin !== "dataset" ? (
        <Compare db={db} shown={t} against={against} others={others} />
      ) : null}
      <Operations rows={operationsOf(db, t.id, null)} />
      {looked.stale + looked.failed + looked.unparsed > 0 || built.coverage === "assigned" ? (
        <Stale
          taxonomyId={t.id}
          looked={looked}
          everything={t.coverage === "everything"}
          steps={staleSteps(db, t.id, { after: number(query.stale) ?? 0, limit: STALE })}
          pageSize={STALE}
          base={base}
          annotators={annotatorChoices()}
          open={t.newest === 1 && t.status === "done" && t.origin !== "builtin"}
        />
      ) : null}
      {batch ? <BatchPanel batch={batch} close={base} /> : null}
      {batches > 0 ? (
        <Batches
          rows={batchesOf(db, t.id, { after: skip, limit: BATCHES })}
          total={batches}
          skip={skip}
          pageSize={BATCHES}
          base={base}
        />
      ) : null}
    </Page>
  );
}
