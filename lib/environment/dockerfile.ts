import path from "node:path";
import {
  Copy,
  DockerfileParser,
  Env,
  From,
  type Instruction,
  ModifiableInstruction,
  PropertyInstruction,
  Run,
} from "dockerfile-ast";
import { expand, words } from "./dockerfileWords";
import { networkCommand } from "./network";

/** Search path of an image that states none. */
export const DEFAULT_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** One thing to do on the way from the base image to the environment. `line` is 1-based. */
export type BuildStep =
  | { kind: "workdir"; line: number; path: string }
  /** `sources` are relative to the build folder; `to` is absolute and ends in "/" when it must be a folder. */
  | { kind: "copy"; line: number; sources: string[]; to: string; mode: number | null }
  | { kind: "run"; line: number; argv: string[]; script: string; workdir: string; env: Record<string, string> };

/** A Dockerfile as far as Misstep carries it out without a container engine. */
export interface BuildPlan {
  /** Image of FROM, variables filled in. */
  base: string;
  steps: BuildStep[];
  workdir: string;
  env: Record<string, string>;
  /** User of the last USER; null: root. */
  user: string | null;
  /** Program and arguments that run before the first command, with a waiting program as the rest; null: none. */
  entrypoint: string[] | null;
  /** What is left out, and does not stop a build. */
  notes: string[];
  /** Why it cannot be built this way: line and reason. Empty: it can. */
  refusals: string[];
}

const SILENT = new Set(["EXPOSE", "LABEL", "MAINTAINER", "STOPSIGNAL"]);
const ARCHIVE = /\.(tar|tgz|tbz2?|txz|tar\.\w+|tar\.gz)$/i;

class Planner {
  readonly plan: BuildPlan = {
    base: "",
    steps: [],
    workdir: "/",
    env: {},
    user: null,
    entrypoint: null,
    notes: [],
    refusals: [],
  };
  private readonly values = new Map<string, string>([["PATH", DEFAULT_PATH]]);
  private shell = ["/bin/sh", "-c"];
  private stages = 0;
  private users = false;

  refuse(line: number, reason: string): undefined {
    this.plan.refusals.push(`Dockerfile line ${line}: ${reason}`);
  }

  note(line: number, text: string): undefined {
    this.plan.notes.push(`Dockerfile line ${line}: ${text}`);
  }

  add(instruction: Instruction): undefined {
    const line = instruction.getInstructionRange().start.line + 1;
    const text = instruction.getArgumentsContent() ?? "";
    const keyword = instruction.getKeyword();
    if (keyword === "ARG") return this.arg(text);
    if (keyword === "FROM") return this.from(instruction, text, line);
    if (this.stages === 0) return this.refuse(line, `${keyword} before FROM`);
    if (keyword === "WORKDIR") {
      this.plan.workdir = this.absolute(expand(words(text).join(" "), this.values));
      this.plan.steps.push({ kind: "workdir", line, path: this.plan.workdir });
    } else if (keyword === "ENV") this.env(instruction);
    else if (keyword === "COPY" || keyword === "ADD") this.copy(instruction, keyword, text, line);
    else if (keyword === "RUN") this.run(instruction, text, line);
    else if (keyword === "USER") this.plan.user = expand(text.trim(), this.values).split(":")[0] ?? null;
    else if (keyword === "SHELL") this.shellForm(text, line);
    else if (keyword === "ENTRYPOINT") this.plan.entrypoint = this.argv(text);
    else if (keyword === "CMD")
      this.note(line, "CMD is not run: commands start in a shell, and what it would start is not there");
    else if (keyword === "HEALTHCHECK" && text.trim().toUpperCase() !== "NONE")
      this.refuse(line, "HEALTHCHECK waits for a service; Misstep starts none");
    else if (keyword === "VOLUME") this.note(line, "VOLUME is an ordinary folder");
    else if (!SILENT.has(keyword) && keyword !== "HEALTHCHECK") this.refuse(line, `${keyword} is not supported`);
  }

  private arg(text: string): undefined {
    for (const word of words(text)) {
      const at = word.indexOf("=");
      if (at > 0) this.values.set(word.slice(0, at), expand(word.slice(at + 1), this.values));
    }
  }

  private from(instruction: Instruction, text: string, line: number): undefined {
    this.stages += 1;
    if (this.stages > 1) return this.refuse(line, "more than one FROM: several stages need a container engine");
    this.plan.base = expand(words(text)[0] ?? "", this.values);
    if (instruction instanceof From && instruction.getFlags().length > 0)
      this.note(line, "--platform is not looked at: commands run on this machine's own");
  }

  private env(instruction: Instruction): undefined {
    if (!(instruction instanceof Env) && !(instruction instanceof PropertyInstruction)) return;
    const before = new Map(this.values);
    for (const property of instruction.getProperties()) {
      const value = expand(property.getValue() ?? "", before);
      this.plan.env[property.getName()] = value;
      this.values.set(property.getName(), value);
    }
  }

  private copy(instruction: Instruction, keyword: string, text: string, line: number): undefined {
    let mode: number | null = null;
    for (const flag of instruction instanceof ModifiableInstruction ? instruction.getFlags() : []) {
      const value = flag.getValue() ?? "";
      if (flag.getName() === "chmod") {
        if (!/^[0-7]{3,4}$/.test(value)) return this.refuse(line, `--chmod=${value}: only octal modes are understood`);
        mode = Number.parseInt(value, 8);
      } else if (flag.getName() === "chown")
        this.note(line, `--chown=${value}: all files belong to the sandbox's user`);
      else if (flag.getName() === "from") return this.refuse(line, "COPY --from takes files of another image");
      else if (flag.getName() !== "link") return this.refuse(line, `${keyword} --${flag.getName()} is not supported`);
    }
    if (instruction instanceof Copy && instruction.getHeredocs().length > 0)
      return this.refuse(line, "COPY of inline text is not supported; put the text into a file");
    const parts = this.listOf(text).map((word) => expand(word, this.values));
    const to = parts.pop();
    if (to === undefined || parts.length === 0) return this.refuse(line, `${keyword} needs a source and a target`);
    for (const source of parts) {
      if (keyword === "ADD" && /^(\w+:\/\/|git@)/.test(source))
        return this.refuse(line, `ADD fetches ${source}: there is no network`);
      if (keyword === "ADD" && ARCHIVE.test(source))
        return this.refuse(line, `ADD unpacks ${source}: not supported, use COPY and RUN tar`);
    }
    const folder = to.endsWith("/") || to === "." || to.endsWith("/.") || parts.length > 1;
    const target = this.absolute(to);
    this.plan.steps.push({
      kind: "copy",
      line,
      sources: parts,
      to: folder && target !== "/" ? `${target}/` : target,
      mode,
    });
  }

  private run(instruction: Instruction, text: string, line: number): undefined {
    if (!(instruction instanceof Run)) return;
    for (const flag of instruction.getFlags()) {
      const value = flag.getValue() ?? "";
      if (flag.getName() !== "mount" && !(flag.getName() === "network" && value === "none"))
        return this.refuse(line, `RUN --${flag.getName()} is not supported`);
      if (flag.getName() === "mount" && !value.includes("type=cache"))
        return this.refuse(line, "RUN --mount is not supported, except for caches");
    }
    const heredoc = /^\s*<<-?\s*(["']?)(\w+)\1[ \t]*\n([\s\S]*?)\n?\t*\2\s*$/.exec(text);
    const json = heredoc ? null : jsonForm(text);
    const script = heredoc ? (heredoc[3] ?? "") : (json?.join(" ") ?? text);
    const argv = json ?? [...this.shell, script];
    const needs = networkCommand(script);
    if (needs !== null) return this.refuse(line, `RUN needs a network, and there is none here (${short(needs)})`);
    if (this.plan.user !== null && this.plan.user !== "root") this.users = true;
    this.plan.steps.push({
      kind: "run",
      line,
      argv,
      script,
      workdir: this.plan.workdir,
      env: Object.fromEntries([...this.values].filter(([name]) => name !== "PATH" || "PATH" in this.plan.env)),
    });
  }

  private shellForm(text: string, line: number): undefined {
    const json = jsonForm(text);
    if (json === null || !/\/?(ba|da)?sh$/.test(json[0] ?? "")) return this.refuse(line, "SHELL names no sh or bash");
    this.shell = json;
  }

  private argv(text: string): string[] {
    return jsonForm(text) ?? [...this.shell, text];
  }

  private listOf(text: string): string[] {
    return jsonForm(text) ?? words(text);
  }

  private absolute(to: string): string {
    const full = path.posix.resolve(this.plan.workdir, to === "" ? "." : to);
    return full;
  }

  end(): BuildPlan {
    if (this.stages === 0) this.plan.refusals.push("Dockerfile: it has no FROM");
    if (this.users) this.plan.notes.push("Dockerfile: RUN after USER runs as the sandbox's one user, like every other");
    return this.plan;
  }
}

const short = (text: string): string => (text.length > 60 ? `${text.slice(0, 59)}…` : text);

/** The exec form: a JSON list of texts; null when it is the shell form. */
function jsonForm(text: string): string[] | null {
  if (!text.trimStart().startsWith("[")) return null;
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) && value.every((v) => typeof v === "string") ? value : null;
  } catch {
    return null;
  }
}

/** Comment lines inside a continued instruction become empty continuations: the parser takes indented ones for text. */
function withoutInnerComments(text: string): string {
  let continued = false;
  const lines = text.split(/\r?\n/).map((line) => {
    if (/^\s*#/.test(line)) return continued ? "\\" : line;
    if (line.trim() !== "") continued = /\\\s*$/.test(line);
    return line;
  });
  return lines.join("\n");
}

/**
 * What a Dockerfile asks for, in order, and everything of it that cannot be carried out by unpacking layers in a sandbox
 * without a network. Nothing is run.
 */
export function planDockerfile(text: string): BuildPlan {
  const planner = new Planner();
  for (const instruction of DockerfileParser.parse(withoutInnerComments(text)).getInstructions())
    planner.add(instruction);
  return planner.end();
}

/** The images that bubblewrap's own small Debian root stands for. */
export function isBaseImage(image: string): boolean {
  return (
    /^(docker\.io\/(library\/)?)?debian:(bookworm|12)([.-][\w.-]+)?$/.test(image) ||
    /^misstep\/base(:[\w.-]+)?$/.test(image)
  );
}
