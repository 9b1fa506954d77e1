import { FlaskConical } from "lucide-react";
import type { Metadata } from "next";
import { Page } from "@/components/shell/page";
import { Button } from "@/components/ui/button";
import { StateMessage } from "@/components/ui/state";
import { getDb } from "@/db/client";
import { studyReport } from "@/lib/study/report/cached";
import { readStudy } from "@/lib/study/state";
import { plural } from "@/lib/text/format";
import { ReportBlock } from "./block";
import { Findings } from "./findings";
import { Funnel } from "./funnel";
import { Phases } from "./phases";
import { StudySummary } from "./summary";

export const metadata: Metadata = { title: "Study" };
export const dynamic = "force-dynamic";

const NOTE = "The whole method on this machine, beside what the paper published";

export default function StudyPage() {
  const db = getDb();
  const state = readStudy(db);
  if (!state)
    return (
      <Page title="Study" term="study" note={NOTE}>
        <StateMessage icon={<FlaskConical aria-hidden />} title="There is no study in this index">
          <p>
            To look at the one that ships, without touching this index: <code>npm start -- --home .misstep/study</code>
          </p>
          <p className="mt-2">
            To make one: <code>npm run study -- --quick</code> takes at most 15 minutes on two idle cores,{" "}
            <code>npm run study -- --full</code> at most two hours. It profiles the base policy, trains every recipe and
            measures them, in a folder of its own. <code>npm start -- --home .misstep/studies/quick-1</code> then opens
            it, and its report is this page.
          </p>
        </StateMessage>
      </Page>
    );
  const report = studyReport(db, state);
  return (
    <Page
      title="Study"
      term="study"
      note={`${NOTE}. Scale ${report.design.scale}, seed ${report.design.seed}, ${report.machine.cpu} (${plural(report.machine.cores, "core")})`}
      actions={
        <div className="flex flex-wrap gap-2">
          <Button asChild size="sm">
            <a href="/api/study/report.html" download>
              HTML
            </a>
          </Button>
          <Button asChild size="sm">
            <a href="/api/study/report.md" download>
              Markdown
            </a>
          </Button>
        </div>
      }
    >
      <section aria-labelledby="answer" className="flex min-w-0 flex-col gap-1.5">
        <h2 id="answer" className="font-medium">
          Does it work here?
        </h2>
        {report.finished ? null : (
          <p className="text-sm text-warn">The study is not finished: what its later phases give is not here yet.</p>
        )}
        {report.answer === null ? null : <p className="max-w-[90ch]">{report.answer}</p>}
        <StudySummary report={report} made={state.made} />
        <div className="gap-6 xl:columns-2">
          {report.aim.map((part) => (
            <div key={part.title} className="flex break-inside-avoid flex-col gap-1 pb-2 text-sm">
              <h3 className="mt-1 font-medium">{part.title}</h3>
              <ul className="flex list-disc flex-col gap-1 pl-5">
                {part.sentences.map((sentence) => (
                  <li key={sentence}>{sentence}</li>
                ))}
              </ul>
            </div>
          ))}
        </div>
      </section>
      <Funnel stages={report.funnel} />
      <Phases phases={report.phases} />
      {report.findings.length > 0 ? <Findings findings={report.findings} /> : null}
      <nav aria-label="Figures" className="flex flex-wrap gap-x-3 gap-y-1 text-sm">
        {report.figures.map((figure) => (
          <a key={figure.id} href={`#${figure.id}`} className="text-accent hover:underline">
            {figure.number}
          </a>
        ))}
      </nav>
      {report.figures.map((figure) => (
        <section key={figure.id} aria-labelledby={figure.id} className="flex min-w-0 flex-col gap-2">
          <h2 id={figure.id} className="scroll-mt-3 text-base font-semibold">
            {figure.number}: {figure.title}
          </h2>
          {figure.absent === null ? null : <p className="max-w-[90ch] text-sm text-warn">{figure.absent}</p>}
          {figure.notes.map((note) => (
            <p key={note} className="max-w-[90ch] text-sm text-muted">
              {note}
            </p>
          ))}
          <div className="grid grid-cols-1 items-start gap-3 xl:grid-cols-2">
            {figure.blocks.map((block) => (
              <ReportBlock key={block.name} block={block} />
            ))}
          </div>
        </section>
      ))}
    </Page>
  );
}
