import { CallError, reply } from "@/app/api/reply";
import { getDb } from "@/db/client";
import { studyReport } from "@/lib/study/report/cached";
import { reportHtml } from "@/lib/study/report/html";
import { readStudy } from "@/lib/study/state";

/** The study report as one HTML file that reads without a server. */
export async function GET() {
  return reply(() => {
    const db = getDb();
    const state = readStudy(db);
    if (!state) throw new CallError(404, "There is no study in this index.");
    return new Response(reportHtml(studyReport(db, state)), {
      headers: {
        "content-type": "text/html; charset=utf-8",
        "content-disposition": `attachment; filename="study-${state.design.seed}.html"`,
        "content-security-policy": "sandbox; default-src 'none'; style-src 'unsafe-inline'",
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
      },
    });
  }, "annotator");
}
