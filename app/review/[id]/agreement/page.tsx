import { EyeOff, Users } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import { currentActor } from "@/app/actor";
import { QueuePlaces } from "@/app/review/[id]/places";
import { settleHref } from "@/app/review/[id]/settle/search-params";
import { Page } from "@/components/shell/page";
import { StateMessage } from "@/components/ui/state";
import { getDb } from "@/db/client";
import { type AgreementReport, agreementReport } from "@/lib/review/agreement/report";
import { QUESTION_NAMES } from "@/lib/review/types";
import { formatCount, plural } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";
import { CoefficientBars, Drift } from "./charts";
import { ConfusionTable, Pairs } from "./confusion";
import { MeasuresTable } from "./measures-table";
import { Known, Raters } from "./raters";
import { agreementHref, loadAgreementParams } from "./search-params";

export const metadata: Metadata = { title: "Agreement" };
export const dynamic = "force-dynamic";

function Section({
  id,
  title,
  note,
  children,
}: {
  id: string;
  title: string;
  note?: string;
  children: React.ReactNode;
}) {
  return (
    <section aria-labelledby={id} className="flex min-w-0 flex-col gap-2">
      <h2 id={id} className="font-medium">
        {title} {note ? <span className="text-sm font-normal text-muted">{note}</span> : null}
      </h2>
      {children}
    </section>
  );
}

export default async function AgreementPage({ params, searchParams }: PageProps<"/review/[id]/agreement">) {
  const id = Number((await params).id);
  const { round } = await loadAgreementParams(searchParams);
  const report = Number.isSafeInteger(id) ? agreementReport(getDb(), id, await currentActor(), round) : undefined;
  if (!report) notFound();
  const { queue, standing } = report;
  return (
    <Page
      title={`Agreement in ${visible(queue.name)}`}
      note={`${QUESTION_NAMES[queue.question]} ${formatCount(report.items)} items; ${formatCount(report.shared)} with two answers or more${standing.gold > 0 ? `, ${standing.gold} known ones not counted` : ""}`}
      actions={<QueuePlaces id={id} here="agreement" norming={queue.mode === "norming"} />}
    >
      {report.hidden > 0 ? (
        <p className="flex items-center gap-1.5 text-sm text-muted">
          <EyeOff aria-hidden className="size-4 shrink-0" />
          {plural(report.hidden, "item")} of the queue {report.hidden === 1 ? "is" : "are"} in no number here: you may
          see {report.hidden === 1 ? "its" : "their"} answers once you have given your own, or once{" "}
          {report.hidden === 1 ? "it is" : "they are"} settled.
        </p>
      ) : null}
      {report.rounds.length > 1 ? (
        <nav aria-label="Rounds" className="flex gap-3 text-sm">
          {report.rounds.map((r) => (
            <Link
              key={r}
              href={agreementHref(id, r)}
              aria-current={r === report.round ? "page" : undefined}
              className={r === report.round ? "font-medium" : "text-accent hover:underline"}
            >
              {r === 1 ? "Round 1, blind" : `Round ${r}, after the reveal`}
            </Link>
          ))}
        </nav>
      ) : null}
      {report.raters.length === 0 ? (
        <StateMessage icon={<Users aria-hidden />} title="No answer to show yet">
          Numbers appear here as people answer.
        </StateMessage>
      ) : (
        <Numbers id={id} report={report} />
      )}
    </Page>
  );
}

function Numbers({ id, report }: { id: number; report: AgreementReport }) {
  const { overall, queue, names, types, standing } = report;
  const [apart, without] = overall;
  const people = Object.fromEntries(report.raters.map((r) => [r.personId, r.person]));
  return (
    <>
      <Section id="overall" title="Overall" note="on what was answered as a whole">
        <MeasuresTable
          label="Agreement overall"
          of="Answers"
          rows={[
            { ...apart, name: "All answers", note: "unsure and environment are categories of their own" },
            { ...without, name: "Without unsure and environment", note: "these are missing, as skips always are" },
          ]}
        />
        <p className="max-w-[80ch] text-xs text-muted">
          Same answer: pairs of answers to one item, of all such pairs. Kappa and alpha take out what chance would give:
          1 is full agreement, 0 is chance. Cohen’s kappa is the mean over pairs of annotators; Fleiss’ and alpha look
          at all annotators at once. Intervals resample items.{" "}
          {queue.question === "types"
            ? "Two sets of types are the same answer only if all types are; MASI gives part of the credit for sets that overlap."
            : ""}
        </p>
        <CoefficientBars
          title="Agreement beyond chance, times 100"
          note="All answers; unsure and environment are categories of their own."
          name={`agreement-${queue.id}`}
          of="Coefficient"
          rows={[
            { name: "Cohen’s kappa, mean of pairs", of: apart.cohen },
            { name: "Fleiss’ kappa", of: apart.fleiss },
            { name: "Krippendorff’s alpha", of: apart.alpha },
            ...(apart.masi ? [{ name: "Alpha of sets (MASI)", of: apart.masi }] : []),
          ]}
        />
        <p className="text-sm">
          {plural(standing.conflict, "item")} in conflict, {formatCount(standing.unanimous)} unanimous,{" "}
          {formatCount(standing.settled)} settled.{" "}
          <Link href={settleHref(id, {})} className="text-accent hover:underline">
            Settle them
          </Link>
        </p>
      </Section>
      {types.length > 0 ? (
        <Section id="types" title="By type" note="each as a question of yes or no; unsure and environment are missing">
          <MeasuresTable
            label="Agreement by type"
            of="Type"
            rows={types.map((t) => ({ ...t, note: `named in ${plural(t.said, "answer")}` }))}
          />
          <CoefficientBars
            title="Alpha by type, times 100"
            note="Types that were never named have no alpha."
            name={`agreement-types-${queue.id}`}
            of="Type"
            rows={types.map((t) => ({ name: t.name, of: t.alpha }))}
          />
        </Section>
      ) : null}
      <Section id="confusion" title="What is taken for what" note="all pairs of answers to one item">
        <ConfusionTable confusion={report.confusion} names={names} />
      </Section>
      {report.pairs.length > 0 ? (
        <Section id="pairs" title="Pairs of annotators">
          <Pairs pairs={report.pairs} people={people} names={names} />
        </Section>
      ) : null}
      <Section id="raters" title="Annotators" note="too fast: given faster than the text can be read">
        <Raters raters={report.raters} />
      </Section>
      <Section id="known" title="Against known items">
        <Known rows={report.known} />
      </Section>
      <Drift drift={report.drift} name={`drift-${queue.id}`} />
    </>
  );
}
