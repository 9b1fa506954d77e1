import type { Interval } from "@/lib/evaluate/intervals";
import { type Coefficient, UNDEFINED_TEXT } from "@/lib/evaluate/stats/agreement/coefficient";
import type { Rate } from "@/lib/evaluate/stats/rate";
import type { Counted } from "@/lib/review/agreement/gold";

export const percent = (n: number): string => `${(100 * n).toFixed(1)}%`;
/** Two decimals; what rounds to nothing has no sign. */
export const two = (n: number): string => n.toFixed(2).replace(/^-(0\.0+)$/, "$1");

export const ends = (interval: Interval, digits: (n: number) => string): string =>
  `${digits(interval.low)} to ${digits(interval.high)}`;

const Small = ({ children }: { children: React.ReactNode }) => (
  <span className="block text-2xs whitespace-nowrap text-muted">{children}</span>
);

/** An agreement coefficient with its interval, or why it has none. */
export function CoefficientText({ of }: { of: Coefficient }) {
  if (of.value === null)
    return (
      <>
        <span className="text-muted">not defined</span>
        <span className="ml-auto block max-w-44 text-2xs whitespace-normal text-muted">
          {of.reason === null ? "" : UNDEFINED_TEXT[of.reason]}
        </span>
      </>
    );
  return (
    <>
      {two(of.value)}
      <Small>{of.interval === null ? "no interval" : `95% ${ends(of.interval, two)}`}</Small>
    </>
  );
}

/** A share with what it is made of; `none` where it is of nothing. */
export function ShareText({ of, none = "none" }: { of: Counted | Rate; none?: string }) {
  const [hits, all] = "hits" in of ? [of.hits, of.of] : [of.numerator, of.denominator];
  if (all === 0) return <span className="text-muted">{none}</span>;
  return (
    <>
      {percent(hits / all)}
      <Small>
        {hits} of {all}
      </Small>
      {of.interval === null ? null : <Small>95% {ends(of.interval, percent)}</Small>}
    </>
  );
}
