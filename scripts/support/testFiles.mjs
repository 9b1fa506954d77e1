import fs from "node:fs";

/** What a test must not do to share its process with others: it would change what they see, or be seen by them. */
const OWN =
  /process\.env|vi\.(?:mock|stub|spyOn|useFakeTimers)|MISSTEP_|getDb\(|@vitest-environment|spawn|connectGround|recipeTests|mkdtemp/;

const FOLDERS = ["app", "components", "lib", "db", "scripts"];

/**
 * The unit tests of the project in two lots. `shared`: pure ones, which use one module registry, so that a module is
 * loaded once and not once a file; `own`: all others, each in a process of its own.
 */
export function testFiles(root) {
  const files = FOLDERS.flatMap((folder) =>
    fs
      .readdirSync(`${root}/${folder}`, { recursive: true, encoding: "utf8" })
      .filter((name) => /\.test\.tsx?$/.test(name))
      .map((name) => `${folder}/${name}`),
  ).sort();
  const own = files.filter((file) => OWN.test(fs.readFileSync(`${root}/${file}`, "utf8")));
  return { own, shared: files.filter((file) => !own.includes(file)) };
}
