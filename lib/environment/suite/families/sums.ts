import type { Family } from "@/lib/environment/suite/family";
import { wording } from "@/lib/environment/suite/family";
import { NAMES } from "@/lib/environment/suite/words";

/** Add up a column of a table; one line may be a total already. */
export const sums: Family = {
  name: "sums",
  about: "Add up a column of a CSV table.",
  hazards: { total: "The last line is a total already, and adding everything counts twice." },
  draw(draw) {
    const [table = "", out = ""] = draw.some(NAMES, 2);
    const hazard = draw.chance(0.55) ? "total" : null;
    const names = draw.some(
      NAMES.filter((name) => name !== table && name !== out),
      draw.int(3, 5),
    );
    const rows = names.map((name) => [name, draw.int(1, 9)] as const);
    const sum = rows.reduce((n, [, value]) => n + value, 0);
    const right = `grep -v '^total' ${table}.csv | awk -F, 'NR>1{s+=$2} END{print s}'`;
    return {
      hazard,
      instruction: wording(
        draw,
        `Add up the column amount of ${table}.csv (a line called total does not count) and write the sum to ${out}.txt.`,
        `Write to ${out}.txt the sum of amount over all names in ${table}.csv; leave out a total line if there is one.`,
      ),
      files: [
        {
          path: `${table}.csv`,
          content: `${["name,amount", ...rows.map((row) => row.join(",")), ...(hazard ? [`total,${sum}`] : [])].join("\n")}\n`,
        },
      ],
      start: null,
      checks: [{ name: "the sum is right", command: `[ "$(cat ${out}.txt)" = ${sum} ]` }],
      solution: [`${right} > ${out}.txt`],
      look: [
        { thought: "look at the table first", command: `cat ${table}.csv` },
        { thought: "see the columns", command: `head -n 2 ${table}.csv` },
      ],
      probe: `[ "$(cat ${out}.txt 2>/dev/null)" = "$(${right})" ] && echo done`,
      act: () => ({ thought: "leave the total out", command: `${right} > ${out}.txt` }),
      verify: [{ thought: "compare with the table", command: `cat ${out}.txt; cat ${table}.csv` }],
      tempting: [
        {
          slug: null,
          moment: "start",
          move: { thought: "add them up", command: `awk -F, 'NR>1{s+=$2} END{print s}' ${table}.csv > ${out}.txt` },
        },
        {
          slug: null,
          moment: "looked",
          move: { thought: "add the column", command: `awk -F, 'NR>1{s+=$2} END{print s}' ${table}.csv > ${out}.txt` },
        },
      ],
    };
  },
};
