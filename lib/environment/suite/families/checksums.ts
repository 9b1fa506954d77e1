import { createHash } from "node:crypto";
import type { Family } from "@/lib/environment/suite/family";
import { wording } from "@/lib/environment/suite/family";
import { NAMES } from "@/lib/environment/suite/words";

const md5 = (text: string) => createHash("md5").update(text).digest("hex");

/** Name the damaged files of a list of checksums; one may be missing altogether. */
export const checksums: Family = {
  name: "checksums",
  about: "Name the files that do not match their checksums, missing ones included.",
  hazards: { missing: "One file is not there at all, which is reported in another way than a damaged one." },
  draw(draw) {
    const [list = "", out = "", ...names] = draw.some(NAMES, 6);
    const hazard = draw.chance(0.55) ? "missing" : null;
    const content = (name: string) => `${name} ${name.length}\n`;
    const [damaged = "", gone = ""] = draw.some(names, 2);
    const sums = names.map((name) => `${md5(content(name))}  ${name}.dat\n`).join("");
    const bad = [damaged, ...(hazard ? [gone] : [])].map((name) => `${name}.dat`).sort();
    const right = `md5sum -c ${list}.md5 2>/dev/null | grep FAILED | cut -d: -f1 | sort`;
    return {
      hazard,
      instruction: wording(
        draw,
        `${list}.md5 has the checksums of the .dat files. Write the names of all that do not match or are missing to ${out}.txt, sorted, one a line.`,
        `Check the .dat files against ${list}.md5 and write every name that is wrong or missing to ${out}.txt, one a line, sorted.`,
      ),
      files: [
        { path: `${list}.md5`, content: sums },
        ...names
          .filter((name) => !(hazard && name === gone))
          .map((name) => ({
            path: `${name}.dat`,
            content: name === damaged ? content(name).toUpperCase() : content(name),
          })),
      ],
      start: null,
      checks: [{ name: "the names are right", command: `[ "$(cat ${out}.txt)" = "$(printf '${bad.join("\\n")}')" ]` }],
      solution: [`${right} > ${out}.txt`],
      look: [
        { thought: "see what there is", command: `ls; wc -l ${list}.md5` },
        { thought: "see which fail", command: `md5sum -c ${list}.md5 2>&1 | grep -v OK` },
      ],
      probe: `[ -s ${out}.txt ] && [ "$(cat ${out}.txt)" = "$(${right})" ] && echo done`,
      act: () => ({ thought: "take all that failed, missing ones too", command: `${right} > ${out}.txt` }),
      verify: [{ thought: "compare with a check", command: `cat ${out}.txt; md5sum -c ${list}.md5 2>&1 | grep -v OK` }],
      tempting: [
        {
          slug: null,
          moment: "start",
          move: {
            thought: "check them without the missing",
            command: `md5sum --ignore-missing -c ${list}.md5 2>/dev/null | grep FAILED | cut -d: -f1 > ${out}.txt`,
          },
        },
        {
          slug: null,
          moment: "looked",
          move: {
            thought: "take those that failed",
            command: `md5sum -c ${list}.md5 2>/dev/null | grep 'FAILED$' | cut -d: -f1 | sort > ${out}.txt`,
          },
        },
      ],
    };
  },
};
