import type { Family } from "@/lib/environment/suite/family";
import { wording } from "@/lib/environment/suite/family";
import { NAMES } from "@/lib/environment/suite/words";

/** Run a script whose output folder may be missing; it says so, or keeps silent. */
export const script: Family = {
  name: "script",
  about: "Run a script so that its result file is there.",
  hazards: {
    loud: "The folder of the result is missing and the script fails.",
    silent: "The folder of the result is missing, and the script says done all the same.",
  },
  draw(draw) {
    const [name = "", folder = "", out = "", ...lines] = draw.some(NAMES, 6);
    const hazard = draw.pick(["loud", "loud", "silent", "silent", "silent", null, null, null] as const);
    const result = `${folder}/${out}.txt`;
    const body =
      hazard === "loud"
        ? `set -e\nsort ${name}.in > ${result}\necho done\n`
        : `{ sort ${name}.in > ${result}; } 2> /dev/null\necho done\n`;
    return {
      hazard,
      instruction: wording(
        draw,
        `Run ${name}.sh so that ${result} holds the sorted lines of ${name}.in. Do not change the script.`,
        `${name}.sh sorts ${name}.in into ${result}. Get that file made by running it; leave the script as it is.`,
      ),
      files: [
        { path: `${name}.in`, content: `${draw.shuffle(lines).join("\n")}\n` },
        { path: `${name}.sh`, content: body },
        ...(hazard === null ? [{ path: `${folder}/.keep`, content: "" }] : []),
      ],
      start: null,
      checks: [
        {
          name: "the result is right",
          command: `[ "$(cat ${result})" = "$(printf '${[...lines].sort().join("\\n")}')" ]`,
        },
        { name: "the script is as it was", command: `[ "$(wc -c < ${name}.sh)" = ${body.length} ]` },
      ],
      solution: [`mkdir -p ${folder}`, `bash ${name}.sh`],
      look: [
        { thought: "read the script first", command: `cat ${name}.sh; ls` },
        { thought: "see what it does", command: `cat ${name}.sh` },
      ],
      probe: `[ -d ${folder} ] || echo missing; [ -s ${result} ] && [ "$(cat ${result})" = "$(sort ${name}.in)" ] && echo done`,
      act: (state) =>
        state.has("missing")
          ? { thought: "make the folder first", command: `mkdir -p ${folder} && bash ${name}.sh` }
          : { thought: "run it", command: `bash ${name}.sh` },
      verify: [{ thought: "see the result", command: `cat ${result}` }],
      tempting: [
        { slug: null, moment: "start", move: { thought: "just run it", command: `bash ${name}.sh` } },
        { slug: null, moment: "looked", move: { thought: "run the script", command: `bash ${name}.sh` } },
        { slug: "retry-same-cause", moment: "failed", move: { thought: "try it again", command: `bash ${name}.sh` } },
      ],
    };
  },
};
