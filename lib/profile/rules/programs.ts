import type { Parsed, ShellCommand } from "./shell";

/**
 * What a command can do to the machine, as far as its text tells.
 * `none`: nothing and tells nothing (cd, echo, sleep). `read`: only looks. `write`: surely changes files or processes.
 * `run`: anything else, which may change anything.
 */
export type Effect = "none" | "read" | "run" | "write";

const set = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter(Boolean));

const QUIET = set("cd echo printf true false : pwd sleep wait exit clear pushd popd return break continue read shift");
const READERS = set(`
  cat head tail less more ls dir tree find stat file wc grep egrep fgrep rg ag zgrep zcat which whereis type readlink realpath
  basename dirname diff cmp comm sort uniq cut tr nl tac rev column fold paste join od xxd hexdump strings base64 md5sum
  sha1sum sha256sum sha512sum cksum du df free id whoami groups uname hostname date uptime nproc lscpu lsblk printenv
  getent locale ps pgrep pidof pstree top lsof ss netstat jobs who w nvidia-smi readelf objdump nm ldd size jq yq test [ [[ expr seq
  man help sed awk gawk mawk lsmod dmesg journalctl ip ifconfig getconf getfacl lsattr bat exiftool identify pdfinfo pdftotext
  apt-cache dpkg-query tput history hash compgen ulimit arch numfmt`);
/** Their answer changes by itself, so asking again is watching. */
const LIVE = set(`
  ps pgrep pidof pstree top lsof ss netstat jobs df free uptime date who w nvidia-smi dmesg journalctl fuser iostat vmstat ip`);
const WRITERS = set(`
  rm rmdir mv cp mkdir touch ln install chmod chown chgrp tee dd truncate patch rsync kill pkill killall unlink shred mkfifo
  mktemp tar unzip gunzip gzip zip 7z split useradd usermod passwd mount umount crontab`);
const GIT_READS = set(`
  status log diff show ls-files ls-tree blame rev-parse rev-list describe grep cat-file shortlog reflog version help
  name-rev merge-base check-ignore count-objects for-each-ref show-ref whatchanged`);
const GIT_WRITES = set(`
  add commit checkout reset apply merge rebase push pull fetch clone init rm mv restore switch cherry-pick revert am clean`);
/** Subcommands that only list. */
const LISTS = new Map<string, ReadonlySet<string>>(
  Object.entries({
    pip: set("list show freeze check index --version"),
    pip3: set("list show freeze check index --version"),
    apt: set("list show search policy"),
    npm: set("ls list view outdated root prefix"),
    cargo: set("metadata tree --version"),
    go: set("version env list"),
    systemctl: set("status is-active is-enabled list-units list-unit-files show cat"),
    docker: set("ps images logs inspect version info"),
    conda: set("list info env"),
    gem: set("list"),
    tmux: set("ls list-sessions capture-pane"),
  }),
);
const WAITS = set("sleep wait watch");
const LIVE_LISTS = new Set(["systemctl", "docker", "tmux"]);
const SINKS = new Set(["/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty"]);

/** The files a command's redirections write, harmless sinks and descriptor copies left out. */
export function writtenFiles(command: ShellCommand): string[] {
  if (command.redirects.length === 0) return [];
  return command.redirects
    .filter((r) => r.operator !== "<" && r.operator !== "<&" && !SINKS.has(r.target))
    .filter((r) => !(r.operator === ">&" && /^(\d+|-)$/.test(r.target)))
    .map((r) => r.target);
}

function readerEffect(program: string, args: string[]): Effect {
  switch (program) {
    case "sed":
      return args.some((a) => /^-[a-zA-Z]*i/.test(a) || a.startsWith("--in-place")) ? "write" : "read";
    case "perl":
      return args.some((a) => /^-[a-z]*i/.test(a)) ? "write" : "run";
    case "find":
      if (args.some((a) => a === "-delete" || a === "-fprint")) return "write";
      return args.some((a) => /^-(exec|execdir|ok|okdir)$/.test(a)) ? findExec(args) : "read";
    case "sort":
      return args.some((a) => a === "-o" || a.startsWith("--output")) ? "write" : "read";
    case "awk":
    case "gawk":
    case "mawk":
      return args.some((a) => a.length > 4096 || /system\(|>\s*"|\bprint[^}]*>\s*[a-z"$(]|inplace/.test(a))
        ? "run"
        : "read";
    case "date":
    case "hostname":
      return args.some((a) => a === "-s" || a.startsWith("--set")) ? "write" : "read";
    case "yq":
      return args.some((a) => /^-[a-zA-Z]*i/.test(a)) ? "write" : "read";
    case "journalctl":
    case "dmesg":
      return args.some((a) => /^(-[cC]|--(clear|vacuum|rotate|flush))/.test(a)) ? "write" : "read";
    case "ip":
      return args.some((a) => set("add del set flush change replace").has(a)) ? "write" : "read";
    default:
      return "read";
  }
}

function findExec(args: string[]): Effect {
  const at = args.findIndex((a) => /^-(exec|execdir|ok|okdir)$/.test(a));
  const inner = args[at + 1] ?? "";
  if (WRITERS.has(inner)) return "write";
  return READERS.has(inner) && inner !== "sed" && inner !== "awk" ? "read" : "run";
}

function gitEffect(args: string[]): Effect {
  let at = 0;
  while (args[at]?.startsWith("-")) at += args[at] === "-C" || args[at] === "-c" ? 2 : 1;
  const verb = args[at] ?? "";
  const rest = args.slice(at + 1);
  if (GIT_READS.has(verb)) return rest.some((a) => a.startsWith("--output")) ? "write" : "read";
  if (GIT_WRITES.has(verb)) return "write";
  if (verb === "branch" || verb === "tag" || verb === "remote")
    return rest.every((a) => /^-[avrl]+$|^--list$|^show$/.test(a)) ? "read" : "write";
  if (verb === "stash") return rest[0] === "list" || rest[0] === "show" ? "read" : "write";
  if (verb === "config") return rest.some((a) => /^(--get|--list|-l$)/.test(a)) ? "read" : "write";
  return "run";
}

/** What one simple command can do. */
export function effectOf(command: ShellCommand): Effect {
  if (writtenFiles(command).length > 0) return "write";
  const { program } = command;
  const args = command.args.map((a) => a.value);
  if (program === "") return command.args.length > 0 ? "run" : "none";
  if (command.wrappers.includes("xargs") && READERS.has(program) && readerEffect(program, args) === "read")
    return "read";
  if (program === "git") return gitEffect(args);
  const lists = LISTS.get(program);
  if (lists) return lists.has(args.find((a) => !/^-[a-zA-Z]$/.test(a)) ?? "") ? "read" : "run";
  if (program === "command") return args[0] === "-v" || args[0] === "-V" ? "read" : "run";
  if (program === "dpkg") return args.some((a) => /^(-l|-L|-s|-S|--list|--status)$/.test(a)) ? "read" : "run";
  if (program === "env" && args.length === 0) return "read";
  if (QUIET.has(program)) return "none";
  if (READERS.has(program) || program === "perl") return readerEffect(program, args);
  if (program === "kill" && args[0] === "-0") return "read";
  if (WRITERS.has(program)) {
    if (program === "tar" && /^-?[a-z]*t/.test(args[0] ?? "")) return "read";
    if (program === "unzip" && args.some((a) => /^-[lptvZ]/.test(a))) return "read";
    if (program === "7z" && args[0] === "l") return "read";
    return "write";
  }
  if (args.length === 1 && /^(--version|-V|--help|-version)$/.test(args[0] ?? "")) return "read";
  return "run";
}

const RANK: Record<Effect, number> = { none: 0, read: 1, run: 2, write: 3 };

/** What a whole command line can do: the strongest of its parts; what could not be parsed may do anything. */
export function effectOfAll(parsed: Parsed): Effect {
  if (parsed.kind !== "parsed" || !parsed.complete) return "run";
  let effect: Effect = "none";
  for (const c of parsed.commands) {
    const own = effectOf(c);
    if (RANK[own] > RANK[effect]) effect = own;
  }
  return effect;
}

/** Whether its answer changes by itself (process lists, free space, the end of a log). */
export function isLive(command: ShellCommand): boolean {
  const { program, args } = command;
  if (WAITS.has(program) || LIVE.has(program) || LIVE_LISTS.has(program)) return true;
  if (args.some((a) => /nohup\.out$|^\/proc\/|^\/var\/log\//.test(a.value))) return true;
  return program === "tail" && args.some((a) => /^-[a-zA-Z]*[fF]/.test(a.value) || /\.(log|out|err)$/.test(a.value));
}

/** Their first plain argument is a pattern or a program, not a path. */
const PATTERN_FIRST = new Set(["grep", "egrep", "fgrep", "rg", "sed", "awk", "jq", "zgrep"]);

/** Whether it names only absolute paths, so that it means the same in every directory. */
export function isAnywhere(command: ShellCommand): boolean {
  if (command.place > 0 && command.args.every((a) => !a.value.includes("/"))) return true;
  const plain = command.args.filter((a) => !a.value.startsWith("-"));
  const paths = PATTERN_FIRST.has(command.program) ? plain.slice(1) : plain;
  return paths.length > 0 && paths.every((a) => a.value.startsWith("/") && !a.dynamic);
}

/** Starts something that goes on after the command returns. */
export function startsBackground(command: ShellCommand): boolean {
  const { program, args } = command;
  if (command.background || command.wrappers.includes("setsid") || command.wrappers.includes("nohup")) return true;
  const verb = args.find((a) => !a.value.startsWith("-"))?.value ?? "";
  if (program === "systemctl" || program === "service" || program === "supervisorctl")
    return args.some((a) => /^(re)?start$/.test(a.value));
  if (program === "docker" || program === "podman") return verb === "run" || verb === "start" || verb === "compose";
  if (program === "tmux") return /^(new|new-session|send-keys|send)$/.test(verb);
  return program === "screen" || (program === "qemu" && args.some((a) => a.value === "-daemonize"));
}

const RUNNERS = set(
  "pytest py.test nosetests tox nox unittest ctest jest vitest mocha ava rspec phpunit phpspec behave bats prove",
);

/** Programs below that may run tests, told by their name alone. */
const MAY_TEST =
  /^(?:python|npx$|uv$|poetry$|npm$|yarn$|pnpm$|bun$|cargo$|go$|mvn$|gradle|dotnet$|swift$|mix$|rake$|zig$|stack$|cabal$|deno$|bazel$|dune$|make$|(?:run_?)?test|runtests)/;

/** A program that runs a test suite (pytest, cargo test, npm test, go test, make check, …). */
export function isTestRunner(command: ShellCommand): boolean {
  const { program } = command;
  if (RUNNERS.has(program)) return true;
  if (!MAY_TEST.test(program)) return false;
  const args = command.args.map((a) => a.value);
  if (/^python[\d.]*$/.test(program)) return args[0] === "-m" && RUNNERS.has(args[1] ?? "");
  if (program === "npx" || program === "uv" || program === "poetry") return args.some((a) => RUNNERS.has(a));
  if (
    /^(npm|yarn|pnpm|bun|cargo|go|mvn|gradle|gradlew|dotnet|swift|mix|rake|zig|stack|cabal|deno|bazel|dune)$/.test(
      program,
    )
  )
    return args[0] === "test" || (args[0] === "run" && /^test/.test(args[1] ?? ""));
  if (program === "make") return args.some((a) => /^(test|check|tests)$/.test(a));
  return /^(run_?)?tests?(\.sh|\.py)?$|^runtests(\.py|\.sh)?$/.test(program);
}
