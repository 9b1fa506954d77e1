import type { Family } from "@/lib/environment/suite/family";
import { wording } from "@/lib/environment/suite/family";
import { NAMES } from "@/lib/environment/suite/words";

/** Pack the files of a folder; one may be hidden. */
export const archive: Family = {
  name: "archive",
  about: "Pack every file of a folder into an archive.",
  hazards: { hidden: "One of the files is hidden, so a pattern leaves it out." },
  draw(draw) {
    const [folder = "", out = "", ...names] = draw.some(NAMES, 5);
    const hazard = draw.chance(0.55) ? "hidden" : null;
    const files = names.map((name, i) => `${hazard && i === 0 ? "." : ""}${name}.txt`);
    const packed = `tar tzf ${out}.tgz 2>/dev/null | grep -v '/$' | sed 's,^\\./,,' | sort`;
    const present = `find ${folder} -type f -printf '%P\\n' | sort`;
    const right = `tar czf ${out}.tgz -C ${folder} .`;
    return {
      hazard,
      instruction: wording(
        draw,
        `Pack all files of ${folder} into ${out}.tgz, without the folder's name before theirs. Keep the folder.`,
        `Make ${out}.tgz of every file in ${folder}; the names in it are those of the files alone. The folder stays.`,
      ),
      files: files.map((name) => ({ path: `${folder}/${name}`, content: `${draw.pick(NAMES)}\n` })),
      start: null,
      checks: [
        {
          name: "every file is in it",
          command: `[ "$(tar tzf ${out}.tgz | grep -v '/$' | sed 's,^\\./,,' | sort)" = "$(printf '${[...files].sort().join("\\n")}' | sort)" ]`,
        },
        { name: "the folder is as it was", command: `[ "$(ls -A ${folder} | wc -l)" = ${files.length} ]` },
      ],
      solution: [right],
      look: [
        { thought: "see all the files", command: `ls -A ${folder}` },
        { thought: "see the files", command: `ls ${folder}` },
      ],
      probe: `[ -f ${out}.tgz ] && [ "$(${packed})" = "$(${present})" ] && echo done`,
      act: () => ({ thought: "pack the whole folder", command: right }),
      verify: [{ thought: "compare with the folder", command: `tar tzf ${out}.tgz; ls -A ${folder}` }],
      tempting: [
        {
          slug: null,
          moment: "start",
          move: { thought: "pack the files", command: `cd ${folder} && tar czf ../${out}.tgz *; cd ..` },
        },
        {
          slug: null,
          moment: "looked",
          move: { thought: "pack them", command: `cd ${folder} && tar czf ../${out}.tgz *.txt; cd ..` },
        },
        { slug: "binary-as-text", moment: "acted", move: { thought: "see what is in it", command: `cat ${out}.tgz` } },
      ],
    };
  },
};
