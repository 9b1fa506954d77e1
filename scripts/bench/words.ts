import { pick, seeded } from "./random";

const SYLLABLES = [
  "ba",
  "co",
  "de",
  "fi",
  "gu",
  "ha",
  "ji",
  "ka",
  "lo",
  "mi",
  "nu",
  "or",
  "pa",
  "qui",
  "re",
  "sa",
  "ti",
  "ul",
  "ve",
  "wo",
  "xe",
  "ya",
  "zo",
];
const PROGRAMS = [
  "ls",
  "cat",
  "grep",
  "sed",
  "python3",
  "make",
  "git",
  "find",
  "tar",
  "awk",
  "pip",
  "gcc",
  "curl",
  "ps",
  "kill",
];

/** A vocabulary of `n` made-up words. */
export function vocabulary(n: number, seed = 7): string[] {
  const random = seeded(seed);
  const words = new Set<string>();
  while (words.size < n) {
    let word = "";
    for (let k = 1 + Math.floor(random() * 4); k >= 0; k--) word += SYLLABLES[Math.floor(random() * SYLLABLES.length)];
    words.add(word);
  }
  return [...words];
}

/** Made-up shell commands, thoughts and outputs over a vocabulary. */
export function writer(random: () => number, words: readonly string[]) {
  const word = () => pick(random, words);
  const some = (n: number, by = " ") => Array.from({ length: n }, word).join(by);
  return {
    word,
    command: () =>
      `${pick(random, PROGRAMS)} -${"abcdelnr"[Math.floor(random() * 8)]} /${some(2, "/")}/${word()}.txt ${word()}`,
    thought: () => `I will look at ${some(8)} before ${some(6)}.`,
    output: (chars: number) => {
      let text = "";
      while (text.length < chars) text += `${some(6)} ${Math.floor(random() * 1e6)}\n`;
      return text;
    },
  };
}
