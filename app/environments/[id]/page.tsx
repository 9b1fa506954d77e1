import { FolderX } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import { CheckCell, StateBadge } from "@/app/environments/state-badge";
import { prefixesHref } from "@/app/prefixes/search-params";
import { listHref } from "@/app/trajectories/search-params";
import { OutcomeBadge } from "@/components/data/outcome";
import { ForeignText } from "@/components/reader/foreign-text";
import { Page } from "@/components/shell/page";
import { StateMessage } from "@/components/ui/state";
import { TableFrame, Td, Th } from "@/components/ui/table";
import { getDb } from "@/db/client";
import { environmentsByIds } from "@/db/queries/environmentList";
import {
  checkLog,
  type EnvironmentTrajectory,
  environmentChecks,
  environmentTrajectories,
} from "@/db/queries/environmentPage";
import { knownDrivers } from "@/lib/environment/drivers";
import { planOf } from "@/lib/environment/plan";
import { builtLayer } from "@/lib/environment/prepare";
import { runnableRow } from "@/lib/environment/runnable";
import { environmentById } from "@/lib/environment/store";
import { keptFiles, viewFile } from "@/lib/environment/view";
import { formatCount, plural } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";
import { CheckButton } from "./check-button";
import { Checks } from "./checks";
import { Drivers, Facts, Notices } from "./facts";
import { Files } from "./files";

export const dynamic = "force-dynamic";

const CHECKS = 10;
const TRAJECTORIES = 20;

const numeric = (text: string | string[] | undefined): number | null =>
  typeof text === "string" && /^\d{1,15}$/.test(text) ? Number(text) : null;

export async function generateMetadata({ params }: PageProps<"/environments/[id]">): Promise<Metadata> {
  const id = numeric((await params).id);
  const row = id === null ? undefined : environmentById(getDb(), id);
  return { title: row ? visible(row.name) : "Not found" };
}

export default async function EnvironmentPage({ params, searchParams }: PageProps<"/environments/[id]">) {
  const id = numeric((await params).id);
  const search = await searchParams;
  const db = getDb();
  const environment = id === null ? undefined : environmentById(db, id);
  const row = environment && environmentsByIds(db, [environment.id])[0];
  if (!environment || !row) notFound();
  const { spec } = environment;
  const trajectories = environmentTrajectories(db, row.id, TRAJECTORIES);
  const title = <span className="foreign">{visible(row.name)}</span>;
  const note = (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <span>
        {row.kind}
        {row.dataset ? `, data set ${visible(row.dataset)}` : ""}
      </span>
      <StateBadge state={row.state} />
      {spec ? (
        <>
          <span>
            solution <CheckCell check={row.solution} expected={1} />
          </span>
          <span>
            nothing <CheckCell check={row.nothing} expected={0} />
          </span>
        </>
      ) : null}
      {row.prefixes > 0 ? (
        <span>
          <Link href={prefixesHref({ environment: [row.name] })} className="text-accent hover:underline">
            {plural(row.prefixes, "prefix", "prefixes")}
          </Link>
          , {formatCount(row.kept)} kept
        </span>
      ) : null}
    </span>
  );
  if (spec === null)
    return (
      <Page title={title} term="environment" note={note}>
        <StateMessage icon={<FolderX aria-hidden />} title="It has no files here">
          Only trajectories name it. Import its task directory, and it gets its files in this place.
        </StateMessage>
        <Trajectories rows={trajectories} total={row.trajectories} name={row.name} />
      </Page>
    );
  const files = keptFiles(spec.digest);
  const wanted = typeof search.file === "string" ? search.file : (spec.tests ?? files?.[0]?.path ?? "");
  const drivers = await knownDrivers();
  const before = numeric(search.before);
  const checks = environmentChecks(db, row.id, { limit: CHECKS, ...(before === null ? {} : { before }) });
  const asked = numeric(search.log);
  const log = asked === null ? null : checkLog(db, row.id, asked);
  const last = checks.at(-1);
  return (
    <Page title={title} term="environment" note={note} actions={<CheckButton id={row.id} />}>
      <Notices spec={spec} />
      <div className="grid gap-4 xl:grid-cols-[minmax(0,2fr)_minmax(18rem,1fr)]">
        <div className="flex min-w-0 flex-col gap-4">
          <section className="flex flex-col gap-1.5">
            <h2 className="font-medium">Instruction</h2>
            <ForeignText label="Instruction" json={JSON.stringify(spec.instruction)} />
          </section>
          <section className="flex flex-col gap-1.5">
            <h2 className="font-medium">Checks</h2>
            {checks.length === 0 ? (
              <p className="text-sm text-muted">
                None yet. A check runs the hidden tests after the reference solution (1 expected) and after nothing (0
                expected).
              </p>
            ) : (
              <Checks
                id={row.id}
                checks={checks}
                log={asked !== null && log !== null ? { check: asked, text: log } : null}
                older={checks.length === CHECKS && last ? `/environments/${row.id}?before=${last.id}` : null}
              />
            )}
          </section>
          <section className="flex flex-col gap-1.5">
            <h2 className="font-medium">Files</h2>
            {files === null ? (
              <p className="text-sm text-warn">
                They are not in the data folder any more. Import the task directory again.
              </p>
            ) : (
              <Files id={row.id} files={files} shown={viewFile(spec.digest, files, wanted)} />
            )}
          </section>
          <Trajectories rows={trajectories} total={row.trajectories} name={row.name} />
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <Drivers
            runnable={runnableRow(spec.digest, row.spec, drivers.statuses) ?? []}
            built={files === null ? null : (builtLayer(spec)?.notes ?? null)}
            problem={drivers.problem}
          />
          <Facts spec={spec} directory={environment.directory} base={files === null ? null : planOf(spec).base} />
        </div>
      </div>
    </Page>
  );
}

function Trajectories({ rows, total, name }: { rows: EnvironmentTrajectory[]; total: number; name: string }) {
  return (
    <section className="flex flex-col gap-1.5">
      <h2 className="flex items-baseline gap-2 font-medium">
        Trajectories
        {total > 0 ? (
          <Link href={listHref({ task: [name] })} className="text-sm font-normal text-accent hover:underline">
            {total > rows.length ? `all ${formatCount(total)}` : "as a list"}
          </Link>
        ) : null}
      </h2>
      {rows.length === 0 ? (
        <p className="text-sm text-muted">None yet. Import some of this environment, or record one: misstep record.</p>
      ) : (
        <TableFrame label="Trajectories">
          <thead>
            <tr>
              <Th>Trajectory</Th>
              <Th>Model or agent</Th>
              <Th>Outcome</Th>
              <Th className="text-right">Steps</Th>
              <Th className="text-right">Error steps</Th>
            </tr>
          </thead>
          <tbody>
            {rows.map((t) => (
              <tr key={t.id}>
                <Td className="min-w-40">
                  <Link href={`/trajectories/${t.id}`} prefetch={false} className="foreign text-accent hover:underline">
                    {visible(t.name ?? `Trajectory ${t.id}`)}
                  </Link>
                </Td>
                <Td className="foreign min-w-32">{visible(t.model ?? t.agent ?? "not stated")}</Td>
                <Td>
                  <OutcomeBadge outcome={t.outcome} reward={t.reward} />
                </Td>
                <Td className="text-right">{formatCount(t.steps)}</Td>
                <Td className="text-right">{formatCount(t.errorSteps)}</Td>
              </tr>
            ))}
          </tbody>
        </TableFrame>
      )}
    </section>
  );
}
