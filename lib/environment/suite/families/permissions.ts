import type { Family } from "@/lib/environment/suite/family";
import { wording } from "@/lib/environment/suite/family";
import { NAMES } from "@/lib/environment/suite/words";

/** Make all scripts of a tree executable; one may lie deeper. */
export const permissions: Family = {
  name: "permissions",
  about: "Make every script below a folder executable, and nothing else.",
  hazards: { deeper: "One script lies in a folder of its own, where a plain pattern does not reach." },
  draw(draw) {
    const [folder = "", deep = "", ...names] = draw.some(NAMES, 6);
    const hazard = draw.chance(0.55) ? "deeper" : null;
    const scripts = names.slice(0, 3).map((name, i) => `${folder}/${hazard && i === 2 ? `${deep}/` : ""}${name}.sh`);
    const note = `${folder}/${names[3]}.txt`;
    const open = `find ${folder} -name '*.sh' ! -perm -u+x`;
    return {
      hazard,
      instruction: wording(
        draw,
        `Make every script (.sh) below ${folder} executable. No other file may become executable.`,
        `All .sh files anywhere below ${folder} are to be executable, the other files not.`,
      ),
      files: [
        ...scripts.map((path) => ({ path, content: `echo ${draw.pick(NAMES)}\n` })),
        { path: note, content: `${draw.pick(NAMES)}\n` },
      ],
      start: null,
      checks: [
        ...scripts.map((path) => ({ name: `${path} can be run`, command: `[ -x ${path} ]` })),
        { name: "the note cannot be run", command: `[ -f ${note} ] && [ ! -x ${note} ]` },
      ],
      solution: [`find ${folder} -name '*.sh' -exec chmod +x {} +`],
      look: [
        { thought: "see what is there", command: `ls ${folder}` },
        { thought: "list all the files", command: `find ${folder} -type f | sort` },
      ],
      probe: `[ -z "$(${open})" ] && [ -z "$(find ${folder} -type f ! -name '*.sh' -perm -u+x)" ] && echo done; [ -n "$(find ${folder} -type f ! -name '*.sh' -perm -u+x)" ] && echo wide`,
      act: (state) =>
        state.has("wide")
          ? {
              thought: "take it from the others again",
              command: `find ${folder} -type f ! -name '*.sh' -exec chmod -x {} +; find ${folder} -name '*.sh' -exec chmod +x {} +`,
            }
          : { thought: "also those in folders below", command: `find ${folder} -name '*.sh' -exec chmod +x {} +` },
      verify: [
        {
          thought: "see which can be run",
          command: `find ${folder} -type f -perm -u+x | sort; find ${folder} -type f | sort`,
        },
      ],
      tempting: [
        { slug: null, moment: "start", move: { thought: "make them executable", command: `chmod +x ${folder}/*.sh` } },
        { slug: null, moment: "looked", move: { thought: "set the bit", command: `chmod +x ${folder}/*.sh` } },
        { slug: null, moment: "looked", move: { thought: "set it everywhere", command: `chmod -R +x ${folder}` } },
      ],
    };
  },
};
