import "server-only";
import fs from "node:fs";
import path from "node:path";
import { engineDockerfile } from "@/lib/environment/engine";
import { listFiles } from "@/lib/environment/files";
import { filesFolder } from "@/lib/environment/home";
import { contextOf } from "@/lib/environment/plan";
import type { StoredEnvironment } from "@/lib/environment/store";
import type { BundleFile } from "./files";
import type { Refused } from "./rows";

/** An environment as the trainer finds it: `tasks/<id>/` with hidden tests, and what its image is built from. */
export interface Task {
  id: string;
  image: string;
  environment: StoredEnvironment;
  digest: string;
}

const safe = (name: string): string => name.replace(/[^A-Za-z0-9._-]+/g, "-").slice(0, 80) || "task";

/** What an environment is called in the bundle, or why it cannot be in one. */
export function taskOf(environment: StoredEnvironment): Task | Refused {
  const { spec, digest, name } = environment;
  if (spec === null || digest === null) return { refused: `${name} has no files here` };
  if (!fs.existsSync(filesFolder(digest)))
    return { refused: `the files of ${name} are gone; import its directory again` };
  if (spec.tests === null) return { refused: `${name} has no hidden tests, so there is no r_o` };
  if (spec.kind === "terminal-bench")
    return { refused: `the tests of ${name} write no reward file, which is what the trainer's environment reads` };
  const short = digest.slice(0, 12);
  return { id: `${safe(name)}-${short}`, image: `misstep-env:${short}`, environment, digest };
}

const read = (root: string, inside: string): BundleFile[] =>
  listFiles(root).map((file) => ({
    path: `${inside}/${file.path}`,
    data: file.kind === "link" ? Buffer.from(file.target ?? "") : fs.readFileSync(path.join(root, file.path)),
    kind: file.kind,
    executable: file.executable,
  }));

/** Instruction, image and hidden tests of a task. The reference solution stays here. */
export function taskFiles({ id, image, digest, environment }: Task): BundleFile[] {
  const text = (name: string, content: string): BundleFile => ({
    path: `tasks/${id}/${name}`,
    data: Buffer.from(content),
    kind: "file",
    executable: false,
  });
  return [
    text("instruction.md", environment.spec?.instruction ?? ""),
    text("image.txt", `${image}\n`),
    ...read(path.join(filesFolder(digest), "tests"), `tasks/${id}/tests`),
  ];
}

/** Folder that an image is built from, with its Dockerfile as Misstep builds it. */
export function imageFiles({ digest, environment }: Task): BundleFile[] {
  const { spec } = environment;
  if (spec === null) return [];
  const folder = `images/${digest.slice(0, 12)}`;
  const context = spec.dockerfile === null ? [] : read(contextOf(spec), folder);
  const dockerfile: BundleFile = {
    path: `${folder}/Dockerfile.misstep`,
    data: Buffer.from(engineDockerfile(spec)),
    kind: "file",
    executable: false,
  };
  return [...context, dockerfile];
}
