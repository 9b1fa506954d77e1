import type { Family } from "@/lib/environment/suite/family";
import { wording } from "@/lib/environment/suite/family";
import { NAMES, STATES } from "@/lib/environment/suite/words";

/** Take the names out of a list by their last field; the list may have carriage returns. */
export const extract: Family = {
  name: "extract",
  about: "Write the names of a list whose last field has a value.",
  hazards: { "carriage-returns": "The lines end with CR LF, so a search for the end of a line finds nothing." },
  draw(draw) {
    const [list = "", out = ""] = draw.some(NAMES, 2);
    const [state = "", other = ""] = draw.some(STATES, 2);
    const hazard = draw.chance(0.55) ? "carriage-returns" : null;
    const people = draw.some(
      NAMES.filter((name) => name !== list && name !== out),
      draw.int(3, 6),
    );
    const chosen = new Set(draw.some(people, draw.int(1, people.length - 1)));
    const end = hazard ? "\r\n" : "\n";
    const right = `tr -d '\\r' < ${list}.csv | grep ',${state}$' | cut -d, -f1`;
    const names = people.filter((name) => chosen.has(name));
    return {
      hazard,
      instruction: wording(
        draw,
        `Write the names in ${list}.csv that are ${state} to ${out}.txt, one a line, in their order.`,
        `${list}.csv lists names and states. Put the names with the state ${state} into ${out}.txt, one a line, in order.`,
        `Make ${out}.txt with the names of ${list}.csv whose last field is ${state}, one a line, in the order of the list.`,
      ),
      files: [
        {
          path: `${list}.csv`,
          content: people.map((name) => `${name},${draw.int(1, 9)},${chosen.has(name) ? state : other}${end}`).join(""),
        },
      ],
      start: null,
      checks: [
        { name: "the names are right", command: `[ "$(cat ${out}.txt)" = "$(printf '${names.join("\\n")}')" ]` },
      ],
      solution: [`${right} > ${out}.txt`],
      look: [
        { thought: "see how the lines end", command: `cat -A ${list}.csv` },
        { thought: "look at the list first", command: `cat -A ${list}.csv` },
      ],
      probe: `[ -s ${out}.txt ] && [ "$(cat ${out}.txt)" = "$(${right})" ] && echo done`,
      act: () => ({ thought: "drop the carriage returns", command: `${right} > ${out}.txt` }),
      verify: [{ thought: "compare with the list", command: `cat -A ${out}.txt; cat ${list}.csv` }],
      tempting: [
        {
          slug: null,
          moment: "start",
          move: {
            thought: "take the lines that end so",
            command: `grep ',${state}$' ${list}.csv | cut -d, -f1 > ${out}.txt`,
          },
        },
        {
          slug: null,
          moment: "looked",
          move: { thought: "cut the first field", command: `grep ',${state}$' ${list}.csv | cut -d, -f1 > ${out}.txt` },
        },
      ],
    };
  },
};
