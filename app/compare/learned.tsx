import { TableFrame, Td, Th } from "@/components/ui/table";
import { getDb } from "@/db/client";
import { judgeOverlap } from "@/lib/evaluate/behavior/judgeOverlap";
import { percentText } from "@/lib/evaluate/behavior/view";
import { UnknownRole } from "@/lib/profile/roles/unknown";
import { type LearnedJudgeFile, readLearnedJudge } from "@/lib/reward/behaviorJudge/learnedFile";
import { plural } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";

const share = (x: number | null) => (x === null ? <span className="text-muted">not known</span> : percentText(x));

/** The file behind a learned judge's name and version, or why it cannot be shown. */
function fileOf(judge: string): LearnedJudgeFile | string {
  const [name = "", version = ""] = judge.slice("learned:".length).split(" ");
  try {
    const file = readLearnedJudge(name);
    return file.hash.startsWith(version) ? file : `${judge}: the judge of this name here is another one.`;
  } catch (error) {
    if (error instanceof UnknownRole) return `${judge}: ${error.message}`;
    throw error;
  }
}

/** How good the learned judges among these are, on environments that they were not trained in. */
export function Learned({ id, judges }: { id: number; judges: string[] }) {
  const files = judges.filter((judge) => judge.startsWith("learned:")).map((judge) => ({ judge, file: fileOf(judge) }));
  if (files.length === 0) return null;
  const overlaps = files.flatMap(({ judge, file }) =>
    typeof file === "string" ? [] : [{ judge, ...judgeOverlap(getDb(), id, file) }],
  );
  return (
    <section aria-labelledby="learned" className="flex min-w-0 flex-col gap-1.5">
      <h2 id="learned" className="font-medium">
        Learned judges
      </h2>
      <p className="text-sm text-muted">
        Logistic regressions over the words of the window. Precision, recall and AUC are of windows in environments the
        judge was not trained in, against what it learned from. A judge learned from another repeats its mistakes.
      </p>
      {overlaps.map(({ judge, windows, seen }) =>
        seen === 0 ? null : (
          <p key={judge} className="foreign text-sm text-warn">
            {seen === null
              ? `${visible(judge)} does not say which environments it was taught in: it may have seen these windows.`
              : `${visible(judge)} was taught in the environments of ${seen} of these ${plural(windows, "window")}: there its verdicts are no fresh ones, and the quality below says nothing of them.`}
          </p>
        ),
      )}
      <TableFrame label="Learned judges">
        <thead>
          <tr>
            <Th>Judge</Th>
            <Th>Learned from</Th>
            <Th>Misbehavior</Th>
            <Th className="text-right">Yes / no</Th>
            <Th className="text-right">Precision</Th>
            <Th className="text-right">Recall</Th>
            <Th className="text-right">AUC</Th>
          </tr>
        </thead>
        <tbody>
          {files.flatMap(({ judge, file }) =>
            typeof file === "string" ? (
              <tr key={judge}>
                <Td colSpan={7} className="foreign text-muted">
                  {visible(file)}
                </Td>
              </tr>
            ) : (
              [
                ...file.modes.map(({ misbehavior, yes, no, environments, quality }) => (
                  <tr key={`${judge} ${misbehavior}`}>
                    <Td className="foreign min-w-28">{visible(judge)}</Td>
                    <Td className="foreign min-w-36">
                      {visible(file.trainedOn.from)}, measurement {file.trainedOn.measurement}
                    </Td>
                    <Td className="foreign min-w-40">{visible(misbehavior)}</Td>
                    <Td className="text-right whitespace-nowrap">
                      {yes} / {no} <span className="text-xs text-muted">in {plural(environments, "environment")}</span>
                    </Td>
                    <Td className="text-right">{share(quality.precision)}</Td>
                    <Td className="text-right">{share(quality.recall)}</Td>
                    <Td className="text-right">
                      {quality.auc === null ? <span className="text-muted">not known</span> : quality.auc.toFixed(3)}
                    </Td>
                  </tr>
                )),
                ...file.refused.map(({ misbehavior, reason }) => (
                  <tr key={`${judge} ${misbehavior}`}>
                    <Td className="foreign min-w-28">{visible(judge)}</Td>
                    <Td className="foreign">{visible(file.trainedOn.from)}</Td>
                    <Td className="foreign min-w-40">{visible(misbehavior)}</Td>
                    <Td colSpan={4} className="foreign text-muted">
                      not learned: {visible(reason)}
                    </Td>
                  </tr>
                )),
              ]
            ),
          )}
        </tbody>
      </TableFrame>
    </section>
  );
}
