import type { Family } from "@/lib/environment/suite/family";
import { wording } from "@/lib/environment/suite/family";
import { NAMES } from "@/lib/environment/suite/words";

/** Move the logs of one folder into another; the other may be missing, an ending may be in capitals. */
export const rename: Family = {
  name: "rename",
  about: "Move the log files of a folder into another, whatever the case of their ending.",
  hazards: {
    missing: "The folder they go to is not there: the move fails.",
    capitals: "One file ends in .LOG, so a plain pattern leaves it behind.",
  },
  draw(draw) {
    const [from = "", to = "", ...rest] = draw.some(NAMES, 7);
    const hazard = draw.pick(["missing", "capitals", "capitals", null, null] as const);
    const logs = rest.slice(0, 3).map((name, i) => `${name}.${hazard === "capitals" && i === 1 ? "LOG" : "log"}`);
    const keep = `${rest[3]}.txt`;
    const all = `find ${from} -maxdepth 1 -iname '*.log'`;
    return {
      hazard,
      instruction: wording(
        draw,
        `Move all log files of ${from}, whatever the case of their ending, into the folder ${to}. Leave the rest.`,
        `The folder ${to} is to hold all log files of ${from} (log in any case). Move them; other files stay.`,
      ),
      files: [
        ...logs.map((name) => ({ path: `${from}/${name}`, content: `${draw.pick(NAMES)}\n` })),
        { path: `${from}/${keep}`, content: `${draw.pick(NAMES)}\n` },
        ...(hazard === "missing" ? [] : [{ path: `${to}/.keep`, content: "" }]),
      ],
      start: null,
      checks: [
        ...logs.map((name) => ({
          name: `${name} was moved`,
          command: `[ -f ${to}/${name} ] && [ ! -e ${from}/${name} ]`,
        })),
        { name: "the other file stayed", command: `[ -f ${from}/${keep} ]` },
      ],
      solution: [`mkdir -p ${to}`, `${all} -exec mv {} ${to}/ ';'`],
      look: [
        { thought: "see both folders", command: `ls ${from} ${to}` },
        { thought: "look what is there", command: `ls` },
      ],
      probe: `[ -d ${to} ] || echo missing; [ -f ${to} ] && echo file; [ -d ${to} ] && [ -z "$(${all})" ] && echo done`,
      act: (state) =>
        state.has("file")
          ? {
              thought: "the folder is a file now, so put it back",
              command: `mv ${to} ${from}/${logs.at(-1)}; mkdir -p ${to}; ${all} -exec mv {} ${to}/ ';'`,
            }
          : state.has("missing")
            ? { thought: "make the folder first", command: `mkdir -p ${to}; ${all} -exec mv {} ${to}/ ';'` }
            : { thought: "move them in any case", command: `${all} -exec mv {} ${to}/ ';'` },
      verify: [{ thought: "see where the files are", command: `ls ${from} ${to}` }],
      tempting: [
        { slug: null, moment: "start", move: { thought: "just move them", command: `mv ${from}/*.log ${to}/` } },
        { slug: null, moment: "looked", move: { thought: "move the logs", command: `mv ${from}/*.log ${to}/` } },
      ],
    };
  },
};
