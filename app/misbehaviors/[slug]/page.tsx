import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import { TypesAgainstPeople } from "@/app/misbehaviors/against-people";
import { shownVersion, under } from "@/app/misbehaviors/shown";
import { TaxonomySwitch } from "@/app/misbehaviors/taxonomy-switch";
import { prefixesHref } from "@/app/prefixes/search-params";
import { ReviewThese } from "@/app/review/review-these";
import { filterOn, listHref } from "@/app/trajectories/search-params";
import { NOT_STATED } from "@/components/data/not-stated";
import { Page } from "@/components/shell/page";
import { TableFrame, Td, Th } from "@/components/ui/table";
import { getDb } from "@/db/client";
import { errorStepsOfType, exampleSteps, hasMadeRollouts, unlabelledErrorSteps } from "@/db/queries/errorSteps";
import { concentrationOf, coOccurrence, labelSources, staleOf } from "@/db/queries/generality";
import { countsByModel, getErrorType, misbehaviorOverview, topEnvironments } from "@/db/queries/misbehaviors";
import { prefixesOfSteps } from "@/db/queries/prefixes";
import { taxonomyInForce } from "@/db/queries/taxonomies";
import { underTaxonomy } from "@/db/queries/trajectory-filters";
import { rateByCheckpoint } from "@/db/queries/trend";
import { hasAided } from "@/db/queries/unaided";
import { scopesOf } from "@/db/schema/errors";
import { formatCount, formatShare, plural } from "@/lib/text/format";
import { statedName, visible } from "@/lib/text/glyphs";
import { BestExamples } from "./best-examples";
import { ChooseExamples } from "./choose-examples";
import { Definition } from "./definition";
import { Examples } from "./examples";
import { CoOccurring, Generality, Sources } from "./generality";
import { Trend } from "./trend";

export const dynamic = "force-dynamic";

const PAGE = 30;

type Props = {
  params: Promise<{ slug: string }>;
  searchParams: Promise<{ before?: string; model?: string; taxonomy?: string; made?: string }>;
};

export async function generateMetadata({ params, searchParams }: Props): Promise<Metadata> {
  const { slug } = await params;
  const db = getDb();
  const shown = shownVersion(db, (await searchParams).taxonomy);
  return {
    title:
      slug === "unlabelled"
        ? "Unlabelled error steps"
        : visible(getErrorType(db, slug, shown?.taxonomy.id)?.name ?? "Not found"),
  };
}

export default async function MisbehaviorPage({ params, searchParams }: Props) {
  const { slug } = await params;
  const { before, model, taxonomy: asked, made: madeAsked } = await searchParams;
  const db = getDb();
  const shown = shownVersion(db, asked);
  if (!shown) notFound();
  const { taxonomy, linked } = shown;
  const unlabelled = slug === "unlabelled";
  const type = unlabelled ? undefined : getErrorType(db, slug, taxonomy.id);
  if (!type && !unlabelled) notFound();
  const overview = misbehaviorOverview(db, taxonomy.id);
  const own = type?.taxonomyId === taxonomy.id;
  const filter = underTaxonomy(slug, linked);
  const counts = type ?? overview.unlabelled;
  const scope = type ? type.id : scopesOf(taxonomy.id).unlabelled;
  const cursor = before && /^\d{1,16}$/.test(before) ? Number(before) : undefined;
  // Who asks for one model wants its rollouts, wherever they were made.
  const made = madeAsked === "yes" || model !== undefined;
  const query = { model: model === NOT_STATED ? null : model, made, before: cursor, limit: PAGE };
  const examples = type
    ? errorStepsOfType(db, { errorTypeId: type.id, ...query })
    : unlabelledErrorSteps(db, { taxonomyId: taxonomy.id, ...query });
  const models = countsByModel(db).filter((row) => row.scope === scope);
  const environments = topEnvironments(db, scope);
  const here = (more: Record<string, string>) => {
    const named = new URLSearchParams({ ...(linked === null ? {} : { taxonomy: String(linked) }), ...more });
    return `/misbehaviors/${slug}${named.size > 0 ? `?${named}` : ""}`;
  };
  const next =
    examples.length === PAGE
      ? here({
          ...(model ? { model } : {}),
          ...(madeAsked === "yes" ? { made: "yes" } : {}),
          before: String(examples.at(-1)?.stepId),
        })
      : null;
  const stale = type && own ? staleOf(db, type.id, taxonomy.id) : 0;
  const list = (
    <Examples
      examples={examples}
      prefixes={prefixesOfSteps(
        db,
        examples.map((e) => e.stepId),
      )}
      next={next}
      filter={model ? { model, clear: here({}) } : null}
      made={
        model === undefined && hasMadeRollouts(db) ? { shown: made, href: here(made ? {} : { made: "yes" }) } : null
      }
    />
  );
  return (
    <Page
      title={type ? visible(type.name) : "Unlabelled error steps"}
      term={type ? "misbehavior" : "error step"}
      note={`${plural(counts.errorSteps, "error step")}, ${formatShare(counts.errorSteps, overview.all.errorSteps)} of all; in ${formatCount(counts.environments)} of ${formatCount(overview.corpus.environments)} environments`}
      actions={
        <span className="flex w-full flex-wrap items-center gap-4 text-sm sm:w-auto">
          <TaxonomySwitch
            choices={shown.choices.map(({ id, name, version }) => ({ id, name, version }))}
            shown={taxonomy.id}
            inForce={taxonomyInForce(db)}
            path={`/misbehaviors/${slug}`}
          />
          <ReviewThese list="trajectories" href={listHref({ misbehavior: filter })} question="types" />
          {type?.named ? (
            <Link href={prefixesHref({ misbehavior: [slug] })} className="text-accent hover:underline">
              prefixes
            </Link>
          ) : null}
          <Link href={listHref({ misbehavior: filter })} className="text-accent hover:underline">
            {plural(counts.trajectories, "trajectory", "trajectories")}
          </Link>
        </span>
      }
    >
      {type && own && type.status !== "kept" ? (
        <p className="max-w-prose text-sm text-muted">
          {type.status === "retired"
            ? "Retired in this version: its labels count nowhere until it is restored."
            : "Of the long tail: too rare to count as a misbehavior. Its error steps count as unlabelled unless they have another type."}
        </p>
      ) : null}
      {stale > 0 ? (
        <p className="text-sm text-warn">
          {plural(stale, "label")} of this type {stale === 1 ? "was" : "were"} made under another definition.{" "}
          <Link href={`/misbehaviors/versions/${taxonomy.id}#stale`} className="text-accent underline">
            Look at them and relabel
          </Link>
        </p>
      ) : null}
      {type && !own ? (
        <p className="max-w-prose text-sm text-muted">
          A type of a data set&apos;s own labels, kept as they are: it is none of the eight misbehaviors, so its error
          steps also count as unlabelled.
        </p>
      ) : null}
      {type && own ? (
        <>
          <Definition type={type} />
          <Generality
            spread={concentrationOf(db, type.id)}
            corpus={overview.corpus.environments}
            errorSteps={type.errorSteps}
          />
          <BestExamples examples={exampleSteps(db, type.id, type.examples)} chosen={type.examples.length > 0} />
          <Trend rows={rateByCheckpoint(db, type)} filter={filter} />
          <TypesAgainstPeople db={db} taxonomyId={taxonomy.id} linked={linked} slug={slug} />
        </>
      ) : null}
      {type ? null : (
        <p className="max-w-prose text-sm text-muted">
          Steps that somebody called wrong (a data set's labels, a localizer) and that carry none of the misbehaviors of
          this version.
        </p>
      )}
      <div className="grid gap-4 xl:grid-cols-[minmax(0,2fr)_minmax(18rem,1fr)]">
        {type && own && taxonomy.newest === 1 && type.status !== "retired" ? (
          <ChooseExamples
            key={taxonomy.id}
            taxonomy={{ id: taxonomy.id, version: taxonomy.version }}
            slug={slug}
            chosen={type.examples}
          >
            {list}
          </ChooseExamples>
        ) : (
          list
        )}
        <div className="flex min-w-0 flex-col gap-4">
          {type && own ? (
            <>
              <CoOccurring
                rows={coOccurrence(db, type.id)}
                steps={type.errorSteps}
                all={overview.all.errorSteps}
                linked={linked}
              />
              <Sources rows={labelSources(db, type.id)} />
            </>
          ) : null}
          {hasAided(db) ? (
            <p className="text-sm text-muted">
              Counts here are of all trajectories: those a teacher corrected, and those that went on from a prefix, are
              among them. Models side by side by what they do unaided:{" "}
              <Link href={`${under("/misbehaviors", linked)}#by-model`} className="text-accent underline">
                By model
              </Link>
              .
            </p>
          ) : null}
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
                      href={listHref({ misbehavior: filter, model: filterOn(row.model) })}
                      prefetch={false}
                      className="text-accent hover:underline"
                    >
                      {row.model === null ? "not stated" : statedName(row.model)}
                    </Link>
                  </Td>
                  <Td className="text-right">
                    <Link
                      href={`/misbehaviors/${slug}?${new URLSearchParams({ ...(linked === null ? {} : { taxonomy: String(linked) }), model: row.model ?? NOT_STATED })}`}
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
                      href={listHref({ misbehavior: filter, task: [row.environment] })}
                      className="text-accent hover:underline"
                    >
                      {statedName(row.environment)}
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
