import type { Context } from "./context";
import { CIRCULAR, isCircular, together } from "./figures/distribution";
import { rateFindings } from "./findingsRates";
import { scoreFindings } from "./findingsScores";
import { trainingFindings } from "./findingsTraining";
import { LINKS } from "./links";
import type { Finding } from "./types";
import { verdictOf } from "./verdict";

/** Half of the error steps: what "a few types make up most" is asked against; the paper has 52.1%. */
const MOST = 0.5;

function concentration(c: Context): Finding {
  const all = together(c);
  const circular = isCircular(c);
  const href = c.profile ? LINKS.profile(c.profile.id) : null;
  const own = (label: string, rate: NonNullable<typeof all>["steps"]): Finding["own"][number] => ({
    label,
    value: rate.value === null ? null : 100 * rate.value,
    interval: rate.interval && { low: 100 * rate.interval.low, high: 100 * rate.interval.high },
    unit: "%",
    href,
  });
  return {
    id: "few-types",
    claim: "A few generalizable misbehaviors make up most error steps and occur in most environments.",
    source: "section 4.2, Fig. 4",
    published: "52.1% of error steps, 75.4% of environments",
    own: all ? [own("error steps", all.steps), own("environments", all.environments)] : [],
    verdict:
      circular || !all
        ? "cannot be told here"
        : verdictOf({ interval: all.steps.interval, holds: "above", limit: MOST }),
    why: !all ? "Profile or taxonomy is not finished." : circular ? CIRCULAR : "Asked against half of the error steps.",
  };
}

/** What the paper found (sections 4.2 to 4.5), one by one, with what this study says of it. */
export const findingsOf = (c: Context): Finding[] => [
  ...rateFindings(c),
  ...scoreFindings(c),
  ...trainingFindings(c),
  concentration(c),
];
