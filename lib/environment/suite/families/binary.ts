import type { Family } from "@/lib/environment/suite/family";
import { wording } from "@/lib/environment/suite/family";
import { NAMES } from "@/lib/environment/suite/words";

const MAGIC = {
  gzip: [0x1f, 0x8b, 8, 0],
  png: [0x89, 0x50, 0x4e, 0x47],
  elf: [0x7f, 0x45, 0x4c, 0x46],
  zip: [0x50, 0x4b, 3, 4],
} as const;
type Kind = keyof typeof MAGIC;
const KINDS = Object.keys(MAGIC) as Kind[];
const hex = (kind: Kind) => MAGIC[kind].map((n) => n.toString(16).padStart(2, "0")).join("");

/** Tell the type of a file by its first bytes; its name may lie. */
export const binary: Family = {
  name: "binary",
  about: "Write down the type of a binary file.",
  hazards: { "wrong-ending": "The ending of its name is that of another type." },
  draw(draw) {
    const [name = "", out = ""] = draw.some(NAMES, 2);
    const [kind = "gzip", other = "png"] = draw.some(KINDS, 2);
    const hazard = draw.chance(0.55) ? "wrong-ending" : null;
    const ending = hazard ? other : kind;
    const file = `${name}.${ending}`;
    const junk = Array.from({ length: 36 }, () => draw.int(128, 255));
    const answer = KINDS.map((k) => `${hex(k)}) echo ${k};;`).join(" ");
    return {
      hazard,
      instruction: wording(
        draw,
        `Write the type of ${file} (one of ${KINDS.join(", ")}) to ${out}.txt. Names may be wrong; the first bytes are not.`,
        `Which type has ${file}: ${KINDS.join(", ")}? Its first bytes tell. Write it to ${out}.txt.`,
      ),
      files: [{ path: file, content: Buffer.from([...MAGIC[kind], ...junk]) }],
      start: null,
      checks: [
        { name: "the type is right", command: `[ "$(cat ${out}.txt)" = ${kind} ]` },
        { name: "the file is there", command: `[ -s ${file} ]` },
      ],
      solution: [`echo ${kind} > ${out}.txt`],
      look: [{ thought: "look at the first bytes", command: `od -An -tx1 -N4 ${file}` }],
      probe: `w=$(case $(od -An -tx1 -N4 ${file} | tr -d ' \\n') in ${answer} esac); echo is-$w; [ "$(cat ${out}.txt 2>/dev/null)" = "$w" ] && echo done`,
      act: (state) => {
        const seen = KINDS.find((k) => state.has(`is-${k}`)) ?? kind;
        return { thought: "trust the first bytes", command: `echo ${seen} > ${out}.txt` };
      },
      verify: [{ thought: "compare with the bytes", command: `cat ${out}.txt; od -An -tx1 -N4 ${file}` }],
      tempting: [
        { slug: null, moment: "start", move: { thought: "the name tells it", command: `echo ${ending} > ${out}.txt` } },
        {
          slug: null,
          moment: "looked",
          move: { thought: "the name tells it", command: `echo ${ending} > ${out}.txt` },
        },
        { slug: "binary-as-text", moment: "start", move: { thought: "see the file", command: `cat ${file}` } },
        { slug: "binary-as-text", moment: "looked", move: { thought: "read the file", command: `head ${file}` } },
      ],
    };
  },
};
