import { Stated } from "@/components/data/stated";
import type { Money } from "@/lib/evaluate/cost/report";

/** Sums by currency; never added up over currencies. null: not known; nothing of any currency: none. */
export function MoneyOf({ money }: { money: Money | null }) {
  return (
    <Stated value={money} why="not known">
      {(m) => {
        const parts = Object.entries(m);
        return parts.length === 0 ? (
          <span className="text-muted">none</span>
        ) : (
          parts.map(([currency, nano]) => `${(nano / 1e9).toFixed(4)} ${currency}`).join(" + ")
        );
      }}
    </Stated>
  );
}
