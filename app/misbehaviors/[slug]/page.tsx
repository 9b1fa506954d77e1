import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import { prefixesHref } from "@/app/prefixes/search-params";
import { filterOn, listHref } from "@/app/trajectories/search-params";
import { NOT_STATED } from "@/components/data/not-stated";
import { Page } from "@/components/shell/page";
import { TableFrame, Td, Th } from "@/components/ui/table";
import { getDb } from "@/db/client";
import { errorStepsOfType, unlabelledErrorSteps } from "@/db/queries/errorSteps";
import { countsByModel, getErrorType, misbehaviorOverview, topEnvironments } from "@/db/queries/misbehaviors";
import { prefixesOfSteps } from "@/db/queries/prefixes";
import { taxonomyInForce } from "@/db/queries/taxonomies";
import { scopesOf } from "@/db/schema/errors";
import { formatCount, formatShare, plural } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";
import { Definition } from "./definition";
import { Examples } from "./examples";

export const dynamic = "force-dynamic";

const PAGE = 30;

type Props = { params: Promise<{ slug: string }>; searchParams: Promise<{ before?: string; model?: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { slug } = await params;
  return {
    title: slug === "unlabelled" ? "Unlabelled error steps" : visible(getErrorType(getDb(), slug)?.name ?? "Not found"),
  };
}

export default async function MisbehaviorPage({ params, searchParams }: Props) {
  const { slug } = await params;
  const { before, model } = await searchParams;
  const db = getDb();
  const unlabelled = slug === "unlabelled";
  const type = unlabelled ? undefined : getErrorType(db, slug);
  if (!type && !unlabelled) notFound();
  const overview = misbehaviorOverview(db);
  const counts = type ?? overview.unlabelled;
  const scope = type ? type.id : scopesOf(taxonomyInForce(db)).unlabelled;
  const cursor = before && /^\d{1,16}$/.test(before) ? Number(before) : undefined;
  const query = { model: model === NOT_STATED ? null : model, before: cursor, limit: PAGE };
  const examples = type
    ? errorStepsOfType(db, { errorTypeId: type.id, ...query })
    : unlabelledErrorSteps(db, { taxonomyId: taxonomyInForce(db), ...query });
  const models = countsByModel(db).filter((row) => row.scope === scope);
  const environments = topEnvironments(db, scope);
  const next =
    examples.length === PAGE
      ? `/misbehaviors/${slug}?${new URLSearchParams({ ...(model ? { model } : {}), before: String(examples.at(-1)?.stepId) })}`
      : null;
  return (
    <Page
      title={type ? visible(type.name) : "Unlabelled error steps"}
      note={`${plural(counts.errorSteps, "error step")}, ${formatShare(counts.errorSteps, overview.all.errorSteps)} of all; in ${formatCount(counts.environments)} of ${formatCount(overview.corpus.environments)} environments`}
      actions={
        <span className="flex gap-4 text-sm">
          {type?.named ? (
            <Link href={prefixesHref({ misbehavior: [slug] })} className="text-accent hover:underline">
              prefixes
            </Link>
          ) : null}
          <Link href={listHref({ misbehavior: slug })} className="text-accent hover:underline">
            {plural(counts.trajectories, "trajectory", "trajectories")}
          </Link>
        </span>
      }
    >
      {type?.named === false ? (
        <p className="max-w-prose text-sm text-muted">
          A type of a data set&apos;s own labels, kept as they are: it is none of the eight misbehaviors, so its error
          steps also count as unlabelled.
        </p>
      ) : null}
      {type?.named ? <Definition type={type} /> : null}
      {type ? null : (
        <p className="max-w-prose text-sm text-muted">
          Steps that somebody called wrong (a data set's labels, a localizer) and that carry none of the eight
          misbehaviors.
        </p>
      )}
      <div className="grid gap-4 xl:grid-cols-[minmax(0,2fr)_minmax(18rem,1fr)]">
        <Examples
          examples={examples}
          prefixes={prefixesOfSteps(
            db,
            examples.map((e) => e.stepId),
          )}
          next={next}
          filter={model ? { model, clear: `/misbehaviors/${slug}` } : null}
        />
        <div className="flex flex-col gap-4">
          <TableFrame label="By model">
            <thead>
              <tr>
                <Th>Model</Th>
                <Th className="text-right">Error steps</Th>
              </tr>
            </thead>
            <tbody>
              {models.map((row) => (
                <tr key={row.model ?? ""}>
                  <Td className="foreign">
                    <Link
                      href={listHref({ misbehavior: slug, model: filterOn(row.model) })}
                      prefetch={false}
                      className="text-accent hover:underline"
                    >
                      {row.model === null ? "not stated" : visible(row.model)}
                    </Link>
                  </Td>
                  <Td className="text-right">
                    <Link
                      href={`/misbehaviors/${slug}?${new URLSearchParams({ model: row.model ?? NOT_STATED })}`}
                      prefetch={false}
                      className="text-accent hover:underline"
                    >
                      {formatCount(row.errorSteps)}
                    </Link>
                  </Td>
                </tr>
              ))}
            </tbody>
          </TableFrame>
          <TableFrame label="Environments with most of them">
            <thead>
              <tr>
                <Th>Environment</Th>
                <Th className="text-right">Error steps</Th>
              </tr>
            </thead>
            <tbody>
              {environments.map((row) => (
                <tr key={row.environment}>
                  <Td className="foreign">
                    <Link
                      href={listHref({ misbehavior: slug, task: [row.environment] })}
                      className="text-accent hover:underline"
                    >
                      {visible(row.environment)}
                    </Link>
                  </Td>
                  <Td className="text-right">{formatCount(row.errorSteps)}</Td>
                </tr>
              ))}
            </tbody>
          </TableFrame>
        </div>
      </div>
    </Page>
  );
}
