import { pick } from "./random";

/** Made-up terminal outputs of the shapes that real ones have: each output repeats one or two line shapes with varying parts. */
export function logWriter(random: () => number, words: readonly string[]): (chars: number) => string {
  const word = () => pick(random, words);
  const number = (below: number) => Math.floor(random() * below);
  const two = (n: number) => String(n).padStart(2, "0");
  const clock = () => `${two(8 + number(3))}:${two(number(60))}:${two(number(60))}`;

  /** A maker of similar lines: what a program prints again and again is drawn once, what varies for each line. */
  const shapes: (() => () => string)[] = [
    () => {
      const user = word();
      return () =>
        `-rw-r--r-- 1 ${user} ${user} ${String(number(90_000)).padStart(6)} Mar ${two(1 + number(28))} ${word()}.txt`;
    },
    () => {
      const file = `src/${word()}/${word()}.c`;
      const message = `warning: unused variable '${word()}' [-Wunused-variable]`;
      return () => `${file}:${number(900)}:${number(80)}: ${message}`;
    },
    () => {
      const suite = `tests/test_${word()}.py`;
      return () =>
        `${suite}::test_${word()} ${random() < 0.9 ? "PASSED" : "FAILED"} [${String(number(100)).padStart(3)}%]`;
    },
    () => {
      const unit = `[${word()}-worker]`;
      return () =>
        `2025-03-0${1 + number(9)} ${clock()} INFO ${unit} processed batch ${number(5000)} in ${number(900)} ms`;
    },
    () => {
      const folder = `/usr/lib/python3/dist-packages/${word()}`;
      return () => `${folder}/${word()}.py:${number(2000)}:    return self.${word()}(${word()}, ${number(64)})`;
    },
    () => () => `${word()} ${word()} ${word()} ${word()} ${number(100_000)}`,
  ];

  return (chars) => {
    let line = pick(random, shapes)();
    let text = "";
    while (text.length < chars) {
      if (random() < 0.02) line = pick(random, shapes)();
      text += `${line()}\n`;
    }
    return text;
  };
}
