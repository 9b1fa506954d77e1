import { Check, CircleSlash2, Minus, X } from "lucide-react";
import Link from "next/link";
import { ForeignText } from "@/components/reader/foreign-text";
import { Badge } from "@/components/ui/badge";
import { TableFrame, Td, Th } from "@/components/ui/table";
import type { CheckView, TestCaseView } from "@/db/queries/environmentPage";
import { formatDuration, formatReward, formatTime } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";

const LOOKS = {
  passed: { tone: "good", Icon: Check },
  failed: { tone: "bad", Icon: X },
  skipped: { tone: "neutral", Icon: Minus },
  other: { tone: "neutral", Icon: Minus },
} as const;

function Case({ test }: { test: TestCaseView }) {
  const { tone, Icon } = LOOKS[test.status];
  return (
    <li className="flex items-baseline gap-1.5">
      <Badge tone={tone} className="shrink-0">
        <Icon aria-hidden /> {test.status}
      </Badge>
      <span className="foreign min-w-0">
        {visible(test.name)}
        {test.message ? <span className="block text-xs text-muted">{visible(test.message)}</span> : null}
      </span>
    </li>
  );
}

function Result({ check }: { check: CheckView }) {
  if (check.reward === null)
    return (
      <>
        <Badge tone="warn">
          <CircleSlash2 aria-hidden /> void
        </Badge>
        <p className="foreign mt-1 text-xs whitespace-pre-line">{visible(check.voidReason ?? "no reason was kept")}</p>
      </>
    );
  const right = check.what === "solution" ? check.reward >= 1 : check.reward === 0;
  return (
    <Badge tone={right ? "good" : "bad"} title={`${check.what === "solution" ? 1 : 0} is expected`}>
      {right ? <Check aria-hidden /> : <X aria-hidden />} r = {formatReward(check.reward)}
    </Badge>
  );
}

/** Checks, newest first, each with its test cases; the log of one of them below. */
export function Checks({
  id,
  checks,
  log,
  older,
}: {
  id: number;
  checks: CheckView[];
  log: { check: number; text: string } | null;
  older: string | null;
}) {
  return (
    <section aria-label="Checks" className="flex flex-col gap-2">
      <TableFrame label="Checks">
        <thead>
          <tr>
            <Th>Check</Th>
            <Th>Outcome</Th>
            <Th>Hidden tests</Th>
            <Th>When</Th>
          </tr>
        </thead>
        <tbody>
          {checks.map((check) => (
            <tr key={check.id}>
              <Td className="whitespace-nowrap">
                {check.what}
                <span className="block text-xs text-muted">{check.driver}</span>
                {check.outdated ? <span className="block text-xs text-warn">of older files</span> : null}
              </Td>
              <Td className="max-w-96 min-w-28">
                <Result check={check} />
              </Td>
              <Td className="min-w-56">
                {check.tests.length === 0 ? (
                  <p className="text-muted">no test cases reported</p>
                ) : (
                  <ul className="flex flex-col gap-0.5">
                    {check.tests.map((test, i) => (
                      // biome-ignore lint/suspicious/noArrayIndexKey: test names may repeat, and the list never changes
                      <Case key={i} test={test} />
                    ))}
                  </ul>
                )}
                {check.hasLog ? (
                  <Link
                    href={`/environments/${id}?log=${check.id}`}
                    scroll={false}
                    prefetch={false}
                    className="text-xs text-accent hover:underline"
                  >
                    {log?.check === check.id ? "log shown below" : "Show the log"}
                  </Link>
                ) : null}
              </Td>
              <Td className="text-xs whitespace-nowrap text-muted">
                {formatTime(check.createdAt)} UTC
                {check.durationMs === null ? null : <span className="block">{formatDuration(check.durationMs)}</span>}
                {check.jobId === null ? null : (
                  <Link href={`/jobs/${check.jobId}`} className="block text-accent hover:underline">
                    job {check.jobId}
                  </Link>
                )}
              </Td>
            </tr>
          ))}
        </tbody>
      </TableFrame>
      {older ? (
        <Link href={older} scroll={false} className="self-start text-sm text-accent hover:underline">
          Older checks
        </Link>
      ) : null}
      {log ? <ForeignText label={`Log of check ${log.check}`} terminal json={JSON.stringify(log.text)} /> : null}
    </section>
  );
}
