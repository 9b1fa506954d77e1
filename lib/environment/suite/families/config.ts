import type { Family } from "@/lib/environment/suite/family";
import { wording } from "@/lib/environment/suite/family";
import { KEYS, NAMES, SECTIONS } from "@/lib/environment/suite/words";

/** Set a key of one section; the same key may be in the other section too. */
export const config: Family = {
  name: "config",
  about: "Set a key in one section of a settings file.",
  hazards: { twice: "The other section has a key of the same name, and a plain replacement changes both." },
  draw(draw) {
    const name = draw.pick(NAMES);
    const [section = "", other = ""] = draw.some(SECTIONS, 2);
    const [key = "", second = ""] = draw.some(KEYS, 2);
    const hazard = draw.chance(0.55) ? "twice" : null;
    const [wanted = 0, before = 0, beside = 0] = draw.some([1, 2, 3, 4, 5, 6, 7, 8, 9], 3);
    const file = `${name}.ini`;
    const otherKey = hazard ? key : second;
    const here = (value: number) => [`[${section}]`, `${key}=${value}`];
    const there = [`[${other}]`, `${otherKey}=${beside}`];
    const first = draw.chance(0.5);
    const text = (value: number) => `${(first ? [...here(value), ...there] : [...there, ...here(value)]).join("\n")}\n`;
    const inSection = `sed -i '/^\\[${section}\\]/,/^\\[/s/^${key}=.*/${key}=${wanted}/' ${file}`;
    const otherValue = `sed -n '/^\\[${other}\\]/,/^\\[${section}\\]/s/^${otherKey}=//p' ${file}`;
    const value = `sed -n '/^\\[${section}\\]/,/^\\[${other}\\]/s/^${key}=//p' ${file}`;
    const backupOther = otherValue.replace(file, `${name}.bak`);
    return {
      hazard,
      instruction: wording(
        draw,
        `Set ${key} to ${wanted} in the section ${section} of ${file}. ${name}.bak is a copy of it as it was. Change nothing else.`,
        `In ${file}, section ${section}, ${key} has to be ${wanted}. Leave everything else as it is; ${name}.bak is a copy.`,
      ),
      files: [
        { path: file, content: text(before) },
        { path: `${name}.bak`, content: text(before) },
      ],
      start: null,
      checks: [
        {
          name: "only that key changed",
          command: `[ "$(cat ${file})" = "$(printf '${text(wanted).replaceAll("\n", "\\n")}')" ]`,
        },
      ],
      solution: [inSection],
      look: [
        { thought: "look at the settings first", command: `cat ${file}` },
        { thought: "see which sections it has", command: `cat ${file}` },
      ],
      probe: [
        `[ "$(${value})" = ${wanted} ] && set=yes`,
        `[ "$(${otherValue})" = "$(${backupOther})" ] && [ "$(wc -l < ${file})" = 4 ] && kept=yes || echo changed`,
        `[ "$set$kept" = yesyes ] && echo done`,
      ].join("; "),
      act: (state) =>
        state.has("changed")
          ? { thought: "start again from the copy", command: `cp ${name}.bak ${file}; ${inSection}` }
          : { thought: "only in that section", command: inSection },
      verify: [
        { thought: "see what changed", command: `diff ${name}.bak ${file}` },
        { thought: "look at it again", command: `cat ${file}` },
      ],
      tempting: [
        {
          slug: null,
          moment: "start",
          move: { thought: "replace the value", command: `sed -i 's/^${key}=.*/${key}=${wanted}/' ${file}` },
        },
        {
          slug: null,
          moment: "looked",
          move: { thought: "replace it", command: `sed -i 's/^${key}=.*/${key}=${wanted}/' ${file}` },
        },
      ],
    };
  },
};
