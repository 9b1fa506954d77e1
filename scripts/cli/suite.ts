import path from "node:path";
import { Command, InvalidArgumentError, Option } from "commander";
import { FAMILIES, familyOf, generate } from "@/lib/environment/suite/generate";
import { writeGenerated } from "@/lib/environment/suite/write";
import { callerPath, type JsonOption, print } from "./output";
import { folderFor } from "./writeFile";

const MOST = 100_000;

/** "7" or "0..99", both ends included. */
function seeds(text: string): [number, number] {
  const parts = /^(\d{1,15})(?:\.\.(\d{1,15}))?$/.exec(text);
  const first = Number(parts?.[1]);
  const last = Number(parts?.[2] ?? parts?.[1]);
  if (!parts || last < first) throw new InvalidArgumentError("a seed, or a range as 0..99");
  if (last - first >= MOST) throw new InvalidArgumentError(`at most ${MOST} seeds at once`);
  return [first, last];
}

interface Options extends JsonOption {
  family?: string[];
  seeds: [number, number];
  out?: string;
}

/** misstep suite */
export function suiteCommand(): Command {
  return new Command("suite")
    .description(
      "the generated environments: without --out the families, with it Harbor task directories, the same for the same family and seed (then: misstep environment import DIR)",
    )
    .addOption(new Option("--family <name...>", "only these families").choices(FAMILIES.map((f) => f.name)))
    .option("--seeds <range>", "a seed, or a range as 0..99", seeds, [0, 0])
    .option("--out <folder>", "where the task directories go")
    .option("--json", "print JSON")
    .action((options: Options) => {
      const families = (options.family ?? FAMILIES.map((f) => f.name)).map(familyOf);
      if (options.out === undefined) {
        const list = families.map(({ name, about, hazards }) => ({ name, about, hazards }));
        print(options, { families: list }, () =>
          list.flatMap((f) => [
            `${f.name.padEnd(12)} ${f.about}`,
            ...Object.entries(f.hazards).map(([name, what]) => `    ${name}: ${what}`),
          ]),
        );
        return;
      }
      const out = folderFor(callerPath(options.out));
      let written = 0;
      let present = 0;
      for (let seed = options.seeds[0]; seed <= options.seeds[1]; seed++)
        for (const { name } of families) {
          if (writeGenerated(out, generate(name, seed))) written++;
          else present++;
        }
      print(
        options,
        { folder: path.resolve(out), written, present },
        () => `${written} task directories written to ${path.resolve(out)}, ${present} were there already`,
      );
    });
}
