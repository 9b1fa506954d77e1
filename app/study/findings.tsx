import { CircleCheck, CircleHelp, CircleX } from "lucide-react";
import Link from "next/link";
import { TableFrame, Td, Th } from "@/components/ui/table";
import { ownText } from "@/lib/study/report/markdown";
import type { Finding } from "@/lib/study/report/types";
import { VERDICT_RULE, type Verdict } from "@/lib/study/report/verdict";
import { visible } from "@/lib/text/glyphs";

const LOOKS: Record<Verdict, { icon: typeof CircleCheck; tone: string }> = {
  reproduced: { icon: CircleCheck, tone: "text-good" },
  "not reproduced": { icon: CircleX, tone: "text-bad" },
  "cannot be told here": { icon: CircleHelp, tone: "text-muted" },
};

/** What the paper found, and what this study says of it. */
export function Findings({ findings }: { findings: readonly Finding[] }) {
  return (
    <section aria-labelledby="findings" className="flex min-w-0 flex-col gap-1.5">
      <h2 id="findings" className="font-medium">
        Findings of the paper
      </h2>
      <p className="max-w-[90ch] text-sm text-muted">{VERDICT_RULE}</p>
      <TableFrame label="Findings">
        <thead>
          <tr>
            <Th>Finding</Th>
            <Th>Published</Th>
            <Th>Here</Th>
            <Th>Verdict</Th>
          </tr>
        </thead>
        <tbody>
          {findings.map((f) => {
            const { icon: Icon, tone } = LOOKS[f.verdict];
            return (
              <tr key={f.id}>
                <Td className="min-w-52 text-pretty">
                  {f.claim}
                  <span className="block text-xs text-muted">{f.source ?? "aim of this study"}</span>
                </Td>
                <Td className="min-w-44">{f.published}</Td>
                <Td className="min-w-60">
                  <Numbers own={f.own} />
                </Td>
                <Td className="min-w-48">
                  <span className={`flex items-center gap-1.5 font-medium whitespace-nowrap ${tone}`}>
                    <Icon className="size-4" aria-hidden /> {f.verdict}
                  </span>
                  <span className="text-xs text-pretty text-muted">{f.why}</span>
                </Td>
              </tr>
            );
          })}
        </tbody>
      </TableFrame>
    </section>
  );
}

/** More numbers than these are folded: the verdict says what they come to. */
const FEW = 4;

function Numbers({ own }: { own: Finding["own"] }) {
  if (own.length === 0) return <span className="text-muted">nothing measured</span>;
  const list = (
    <ul className="flex flex-col gap-0.5">
      {own.map((one) => (
        <li key={one.label}>
          {one.href === null ? (
            visible(ownText(one))
          ) : (
            <Link href={one.href} prefetch={false} className="text-accent hover:underline">
              {visible(ownText(one))}
            </Link>
          )}
        </li>
      ))}
    </ul>
  );
  if (own.length <= FEW) return list;
  return (
    <details>
      <summary className="cursor-pointer">{own.length} numbers</summary>
      {list}
    </details>
  );
}
