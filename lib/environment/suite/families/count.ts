import type { Family } from "@/lib/environment/suite/family";
import { wording } from "@/lib/environment/suite/family";
import { LEVELS, NAMES } from "@/lib/environment/suite/words";

/** Count lines of a log by level; some levels may be written in capitals. */
export const count: Family = {
  name: "count",
  about: "Count the lines of a log that have a level, in whatever case it is written.",
  hazards: { capitals: "Some of the lines write the level in capitals, so a plain search misses them." },
  draw(draw) {
    const [log = "", out = ""] = draw.some(NAMES, 2);
    const [level = "", other = ""] = draw.some(LEVELS, 2);
    const hazard = draw.chance(0.55) ? "capitals" : null;
    const n = draw.int(2, 6);
    const capitals = hazard ? draw.int(1, n - 1) : 0;
    const lines = draw.shuffle([
      ...Array.from({ length: n }, (_, i) => `${i < capitals ? level.toUpperCase() : level} ${draw.pick(NAMES)}`),
      ...Array.from({ length: draw.int(1, 3) }, () => `${other} ${draw.pick(NAMES)}`),
    ]);
    const right = `grep -ci ${level} ${log}.log`;
    return {
      hazard,
      instruction: wording(
        draw,
        `Count the lines of ${log}.log with the level ${level}, in any case, and write the number to ${out}.txt.`,
        `How many lines of ${log}.log have the level ${level} in any case? Write the number to ${out}.txt.`,
        `Write to ${out}.txt how many lines in ${log}.log are of level ${level}; case does not matter.`,
      ),
      files: [{ path: `${log}.log`, content: `${lines.join("\n")}\n` }],
      start: null,
      checks: [
        { name: "the number is right", command: `[ "$(cat ${out}.txt)" = ${n} ]` },
        { name: "the log is as it was", command: `[ "$(wc -l < ${log}.log)" = ${lines.length} ]` },
      ],
      solution: [`${right} > ${out}.txt`],
      look: [
        { thought: "look at the log first", command: `cat ${log}.log` },
        { thought: "see how the lines are written", command: `head ${log}.log` },
      ],
      probe: `[ "$(cat ${out}.txt 2>/dev/null)" = "$(${right})" ] && echo done`,
      act: () => ({ thought: "count in any case", command: `${right} > ${out}.txt` }),
      verify: [{ thought: "compare with a count in any case", command: `cat ${out}.txt; ${right}` }],
      tempting: [
        {
          slug: null,
          moment: "start",
          move: { thought: "just count them", command: `grep -c ${level} ${log}.log > ${out}.txt` },
        },
        {
          slug: null,
          moment: "looked",
          move: { thought: "count the lines", command: `grep -c ${level} ${log}.log > ${out}.txt` },
        },
      ],
    };
  },
};
