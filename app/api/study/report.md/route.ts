import { CallError, reply } from "@/app/api/reply";
import { getDb } from "@/db/client";
import { studyReport } from "@/lib/study/report/cached";
import { reportMarkdown } from "@/lib/study/report/markdown";
import { readStudy } from "@/lib/study/state";

/** The study report as one Markdown file. */
export async function GET() {
  return reply(() => {
    const db = getDb();
    const state = readStudy(db);
    if (!state) throw new CallError(404, "There is no study in this index.");
    return new Response(reportMarkdown(studyReport(db, state)), {
      headers: {
        "content-type": "text/markdown; charset=utf-8",
        "content-disposition": `attachment; filename="study-${state.design.seed}.md"`,
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
      },
    });
  }, "annotator");
}
