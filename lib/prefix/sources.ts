import { parseCommand, type ShellCommand } from "@/lib/profile/rules/shell";

/** Where a command can get something that differs from run to run. */
export interface Sources {
  time: boolean;
  pid: boolean;
  random: boolean;
  temp: boolean;
  duration: boolean;
  network: boolean;
  /** Lists processes, so its lines are those of one moment. */
  processes: boolean;
  /** Something runs beside the rest, so that what it does has no fixed place. */
  background: boolean;
}

/** Names a command puts its output under, and names it reads: variables, and base names of paths. */
export interface Flow {
  sources: Sources;
  writes: Set<string>;
  reads: Set<string>;
}

const NONE: Sources = {
  time: false,
  pid: false,
  random: false,
  temp: false,
  duration: false,
  network: false,
  processes: false,
  background: false,
};

const TIME = new Set(["date", "hwclock", "uptime", "who", "w", "last", "stat", "timedatectl", "cal"]);
const PID = new Set(["pgrep", "pidof", "jobs"]);
const PROCESSES = new Set(["ps", "top", "pstree", "lsof", "htop", "fuser"]);
const RANDOM = new Set(["shuf", "uuidgen", "pwgen", "mkpasswd", "ssh-keygen", "apg"]);
const TEMP = new Set(["mktemp", "tempfile"]);
const DURATION = new Set(["time", "hyperfine", "perf"]);
const NETWORK = new Set([
  "curl",
  "wget",
  "apt",
  "apt-get",
  "ping",
  "nc",
  "ssh",
  "scp",
  "rsync",
  "dig",
  "host",
  "nslookup",
  "telnet",
  "pip",
  "pip3",
  "npm",
  "yarn",
  "cargo",
  "gem",
  "conda",
]);
const GIT_REMOTE = new Set(["clone", "fetch", "pull", "push", "ls-remote"]);
const LOCAL = /\b(?:localhost|127\.0\.0\.1|::1|0\.0\.0\.0)\b/;

/** Signs inside scripts and expansions, whatever language they are in. */
const TEXTS: [keyof Sources, RegExp][] = [
  [
    "random",
    /\$\{?S?RANDOM\b|\/dev\/u?random\b|\bopenssl\s+(?:rand|passwd|genrsa|genpkey)\b|\bsort\s+(?:-\w*R|--random-sort)|\brand\(\)|\brandom\.|\bimport random\b|\bsecrets\.|\buuid[14]\(|\bMath\.random\b|\bos\.urandom\b|\bshuf\b|\buuidgen\b/,
  ],
  [
    "time",
    /\$\{?EPOCH(?:SECONDS|REALTIME)\b|\bdate\b(?=\s|\)|`|$)|\btime\.(?:time|strftime|ctime|localtime)\b|\bdatetime\.|\bDate\.now\b|\bstrftime\b|\bsystime\(|%T@|\bgetmtime\b/,
  ],
  ["duration", /\$\{?SECONDS\b|\bperf_counter\b|\btime\.monotonic\b|\btimeit\b/],
  ["pid", /\$[$!](?!\w)|\$\{[$!]\}|\$\{?(?:BASHPID|PPID)\b|\bgetp?pid\(/],
  ["temp", /\bmktemp\b|\bmkdtemp\b|\bmkstemp\b|\bNamedTemporaryFile\b|\bTemporaryDirectory\b|\btempfile\./],
];

const base = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
const VARIABLE = /\$\{?([A-Za-z_]\w*)/g;

/** Commands whose arguments are files they change. */
const WRITERS = new Set(["cp", "mv", "touch", "tee", "install", "ln", "sed", "mkdir", "dd", "sort", "gcc", "cc"]);

function single(command: ShellCommand, flow: Flow): void {
  const { program, args, sources } = { ...command, sources: flow.sources };
  if (TIME.has(program)) sources.time = true;
  if (program === "ls" && args.some((a) => /^-\w*[lgo]|--full-time|--time-style/.test(a.value))) sources.time = true;
  if (program === "tar" && /v/.test(args[0]?.value ?? "")) sources.time = true;
  if (PID.has(program)) sources.pid = true;
  if (PROCESSES.has(program)) sources.processes = true;
  if (RANDOM.has(program)) sources.random = true;
  if (TEMP.has(program)) sources.temp = true;
  if (DURATION.has(program) || command.wrappers.includes("time")) sources.duration = true;
  const words = args.map((a) => a.value).join(" ");
  const remote =
    program === "git" ? GIT_REMOTE.has(args.find((a) => !a.value.startsWith("-"))?.value ?? "") : NETWORK.has(program);
  if (remote && !LOCAL.test(words)) sources.network = true;
  if (command.background) sources.background = true;
  for (const r of command.redirects) {
    if (/>/.test(r.operator) && !r.operator.includes("&")) flow.writes.add(base(r.target));
    else if (r.operator === "<") flow.reads.add(base(r.target));
  }
  for (const a of command.assigns) flow.writes.add(a.name);
  if (program === "export" || program === "declare" || program === "read")
    for (const a of args) flow.writes.add(a.value.split("=")[0] ?? "");
  for (const a of args) {
    if (a.value.startsWith("-") || a.value === "") continue;
    const name = base(a.value.replace(/\/+$/, ""));
    (WRITERS.has(program) ? flow.writes : flow.reads).add(name);
    if (WRITERS.has(program)) flow.reads.add(name);
  }
  if (program !== "") flow.reads.add(program);
}

const known = new Map<string, Flow>();
const MOST_KNOWN = 500;

/** What a command draws on and where its output goes. A text that does not parse is only searched for signs. */
export function flowOf(text: string): Flow {
  const before = known.get(text);
  if (before) return before;
  const flow: Flow = { sources: { ...NONE }, writes: new Set(), reads: new Set() };
  const parsed = parseCommand(text);
  if (parsed.kind === "parsed") for (const command of parsed.commands) single(command, flow);
  for (const [source, sign] of TEXTS) if (sign.test(text)) flow.sources[source] = true;
  if (/(?:^|[^&>])&(?:$|[^&>\d])/m.test(text) && parsed.kind !== "parsed") flow.sources.background = true;
  for (const m of text.matchAll(VARIABLE)) flow.reads.add(m[1] ?? "");
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(text, flow);
  return flow;
}

/**
 * Earlier commands that wrote something this one reads, nearest first, by index; followed back through what those read.
 * By name only: a name that two folders share counts as one.
 */
export function writersOf(command: string, earlier: readonly string[]): number[] {
  const wanted = new Set(flowOf(command).reads);
  wanted.delete("");
  const found: number[] = [];
  for (let i = earlier.length - 1; i >= 0; i--) {
    const flow = flowOf(earlier[i] ?? "");
    if (![...flow.writes].some((name) => wanted.has(name))) continue;
    found.push(i);
    for (const name of flow.reads) wanted.add(name);
  }
  return found;
}
