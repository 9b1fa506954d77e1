import { type Instance, SUBMIT } from "./family";
import { FAMILIES, generate } from "./generate";
import { NAMES } from "./words";

/** What programs of the suite say by themselves, in our shell's words. */
const SAID = `
No such file or directory cannot access cannot stat target is not a directory cannot remove cannot open for reading
bash line command not found no process found syntax error near unexpected token Is a directory missing operand
md5sum WARNING listed file could not be read computed checksum did NOT match FAILED open or read OK
PID COMMAND bash sleep ps ls cat tar Cowardly refusing to create an empty archive Exiting with failure status due to previous errors
ELF PNG PK cp mv rm sed grep cut sort head diff awk unknown option Usage try help for more information binary file matches
no tests ran passed failed done name amount total core edge meter same day kill usage number
`;

/** Thoughts that are not of one family (wrong.ts, expert.ts). */
const EXCUSES = [
  "try it again",
  "once more",
  "run it again",
  "look once more",
  "check it again",
  "see it again",
  "that is done, so submit",
  "it ran, so submit",
  "it is right, so submit",
  "it looks right, so submit",
  "now look",
  "all",
];

function textsOf(instance: Instance): string[] {
  const moves = [...instance.look, ...instance.verify, ...instance.tempting.map(({ move }) => move)];
  const states = ["missing", "changed", "wide", "lost", "file", "killed", "stopped", "is-gzip"];
  moves.push(instance.act(new Set()), ...states.map((word) => instance.act(new Set([word]))));
  return [
    instance.instruction,
    ...instance.files
      .filter(({ path }) => !path.endsWith(".md5"))
      .flatMap(({ path, content }) => [path, ...(typeof content === "string" ? [content] : [])]),
    ...instance.solution,
    ...moves.flatMap(({ thought, command }) => [thought, ` ${thought}`, command ?? ""]),
  ];
}

/** Texts that hold every word of the suite's tasks, of what is done in them and of what programs answer. Deterministic. */
export function suiteTexts(seeds = 24): string[] {
  const drawn = FAMILIES.flatMap(({ name }) =>
    Array.from({ length: seeds }, (_, seed) => textsOf(generate(name, seed).instance)).flat(),
  );
  const names = NAMES.flatMap((name) => [name, ` ${name}`]);
  return [
    ...drawn,
    ...names,
    SUBMIT,
    SUBMIT.replace("echo ", ""),
    ...Array<string>(20).fill(SUBMIT),
    ...EXCUSES,
    ...SAID.split(/\s+/).flatMap((word) => [word, ` ${word}`]),
    "\ufffd",
  ];
}
