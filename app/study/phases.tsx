import Link from "next/link";
import { TableFrame, Td, Th } from "@/components/ui/table";
import type { PhaseReport } from "@/lib/study/report/types";
import { formatDuration, formatTime } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";

/** Phases with when they ran and what they made. */
export function Phases({ phases }: { phases: readonly PhaseReport[] }) {
  return (
    <section aria-labelledby="phases" className="flex min-w-0 flex-col gap-1.5">
      <h2 id="phases" className="font-medium">
        Phases
      </h2>
      <TableFrame label="Phases">
        <thead>
          <tr>
            <Th>Phase</Th>
            <Th>Made</Th>
            <Th>Started (UTC)</Th>
            <Th className="text-right">Took</Th>
          </tr>
        </thead>
        <tbody>
          {phases.map((p) => (
            <tr key={p.phase}>
              <Td className="whitespace-nowrap">{p.title}</Td>
              <Td className="min-w-52">
                {p.made === null ? (
                  <span className="text-muted">nothing yet</span>
                ) : p.href === null ? (
                  visible(p.made)
                ) : (
                  <Link href={p.href} prefetch={false} className="text-accent hover:underline">
                    {visible(p.made)}
                  </Link>
                )}
              </Td>
              <Td className="whitespace-nowrap tabular-nums">
                {p.startedAt === null ? <span className="text-muted">not yet</span> : formatTime(p.startedAt)}
              </Td>
              <Td className="text-right whitespace-nowrap tabular-nums">
                {p.finishedAt === null || p.ms === null ? (
                  <span className="text-muted">{p.startedAt === null ? "not yet" : "not finished"}</span>
                ) : (
                  formatDuration(p.ms)
                )}
              </Td>
            </tr>
          ))}
        </tbody>
      </TableFrame>
    </section>
  );
}
