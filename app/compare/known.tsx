import { TriangleAlert } from "lucide-react";
import { type Known, knownCounts } from "@/lib/evaluate/behavior/known";
import { visible } from "@/lib/text/glyphs";

/** More would push the figure off the first screen. */
const LINES = 3;
/** Letters of a line on a phone. */
const NARROW = 45;

function Lines({ known }: { known: readonly Known[] }) {
  return (
    <ul aria-label="To be known" className="flex flex-col gap-1 text-sm">
      {known.map(({ text }) => (
        <li key={text} className="flex items-start gap-1.5 text-warn">
          <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          <span className="foreign min-w-0">{visible(text)}</span>
        </li>
      ))}
    </ul>
  );
}

function Folded({ known }: { known: readonly Known[] }) {
  return (
    <details className="text-sm print:hidden">
      <summary className="cursor-pointer text-warn">
        <TriangleAlert aria-hidden className="mr-1.5 inline size-4 align-text-bottom" />
        To be known: {knownCounts(known)}
      </summary>
      <div className="mt-1">
        <Lines known={known} />
      </div>
    </details>
  );
}

/** What has to be known before the numbers are read. Long lists are folded, on a phone sooner. */
export function ToBeKnown({ known }: { known: readonly Known[] }) {
  if (known.length === 0) return null;
  const onPhone = known.reduce((sum, { text }) => sum + Math.ceil(text.length / NARROW), 0);
  if (onPhone <= LINES) return <Lines known={known} />;
  const long = known.length > LINES;
  return (
    <>
      <div className={long ? "hidden print:block" : "max-sm:hidden print:block"}>
        <Lines known={known} />
      </div>
      <div className={long ? "" : "sm:hidden"}>
        <Folded known={known} />
      </div>
    </>
  );
}
