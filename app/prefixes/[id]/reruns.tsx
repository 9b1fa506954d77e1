import Link from "next/link";
import { cn } from "@/components/cn";
import { CauseBadge, VerdictBadge } from "@/components/data/prefix-status";
import { TableFrame, Td, Th } from "@/components/ui/table";
import { Term } from "@/components/ui/term";
import type { RerunView } from "@/db/queries/prefix-page";
import { formatCount, formatDuration, formatTime, UNKNOWN } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";

const MODES: Record<string, string> = { stop: "stops at first difference", through: "through to the end" };

/** All reruns of a prefix, newest first; one of them is shown beside the recorded steps. */
export function Reruns({
  reruns,
  chosen,
  commands,
  base,
}: {
  reruns: RerunView[];
  chosen: number | null;
  commands: number;
  /** Address of the page; `?rerun=` is added. */
  base: string;
}) {
  if (reruns.length === 0) return null;
  return (
    <section aria-labelledby="reruns" className="flex flex-col gap-2">
      <div className="flex items-center gap-1">
        <h2 id="reruns" className="font-medium">
          Reruns
        </h2>
        <Term name="rerun check" />
      </div>
      <TableFrame label="Reruns">
        <thead>
          <tr>
            <Th>Rerun</Th>
            <Th>Verdict</Th>
            <Th>Cause or reason</Th>
            <Th className="text-right">Commands run</Th>
            <Th>Mode</Th>
            <Th>Driver, image</Th>
            <Th className="text-right">Took</Th>
            <Th>When (UTC)</Th>
          </tr>
        </thead>
        <tbody>
          {reruns.map((rerun) => (
            <tr key={rerun.id} className={cn("hover:bg-raised/60", rerun.id === chosen && "bg-accent-soft/60")}>
              <Td className="whitespace-nowrap">
                <Link
                  href={`${base}?rerun=${rerun.id}#first-difference`}
                  scroll={false}
                  aria-current={rerun.id === chosen ? "true" : undefined}
                  className="text-accent hover:underline"
                >
                  {rerun.jobId === null ? "" : `job ${rerun.jobId}, `}repeat {rerun.repeat}
                </Link>
                {rerun.id === chosen ? <span className="ml-1.5 text-xs text-muted">shown below</span> : null}
              </Td>
              <Td>
                <VerdictBadge verdict={rerun.verdict} />
              </Td>
              <Td className="max-w-96">
                {rerun.verdict === "void" ? null : <CauseBadge cause={rerun.cause} />}{" "}
                {rerun.voidReason ? (
                  <span className="foreign text-xs text-muted">{visible(rerun.voidReason)}</span>
                ) : null}
              </Td>
              <Td className="text-right whitespace-nowrap">
                {formatCount(rerun.ran)} of {formatCount(commands)}
              </Td>
              <Td className="text-xs whitespace-nowrap text-muted">{MODES[rerun.mode] ?? rerun.mode}</Td>
              <Td className="text-xs whitespace-nowrap text-muted" title={rerun.imageDigest ?? undefined}>
                {rerun.driver === "none" ? UNKNOWN : rerun.driver}
                {rerun.imageDigest ? ` ${rerun.imageDigest.replace(/^sha256:/, "").slice(0, 12)}` : ""}
              </Td>
              <Td className="text-right whitespace-nowrap">
                {rerun.durationMs === null ? UNKNOWN : formatDuration(rerun.durationMs)}
              </Td>
              <Td className="whitespace-nowrap">{formatTime(rerun.createdAt, true)}</Td>
            </tr>
          ))}
        </tbody>
      </TableFrame>
    </section>
  );
}
