import { spawn } from "node:child_process";
import fs from "node:fs";

/** Who the commands of a sandbox are on this machine, and how they become uid 1000 inside. */
export interface Identity {
  /** User and group on this machine that own everything a sandbox may change. */
  id: number;
  /** Open user namespace that every sandbox is put in (root), or null: each makes its own (plain user). */
  userNamespace: number | null;
}

/** Far from every range that systems give to people, services and other containers. */
const WANTED_ID = 1_900_001_000;
/** Inside, all ids up to here keep their number, so that a root file system shows its owners. */
const LAST_KEPT = 65_535;
const SANDBOX_ID = 1000;

/** An id that is mapped here and nobody uses: in a container not every id is there. */
function freeId(): number {
  const ranges = fs
    .readFileSync("/proc/self/uid_map", "utf8")
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number) as [number, number, number]);
  if (ranges.some(([from, , count]) => WANTED_ID >= from && WANTED_ID < from + count)) return WANTED_ID;
  return Math.max(...ranges.map(([from, , count]) => from + count - 1)) - 2;
}

/**
 * A user namespace without processes, held by its open descriptor: inside 1000 is `id`, all else is itself, and no
 * further user namespaces can be made. Needs root.
 */
async function openUserNamespace(id: number): Promise<number> {
  const script = "echo made; read -r x; echo 0 >/proc/sys/user/max_user_namespaces 2>/dev/null; echo done; read -r x";
  const child = spawn("unshare", ["--user", "--keep-caps", "sh", "-c", script], {
    stdio: ["pipe", "pipe", "pipe"],
    uid: id,
    gid: id,
    cwd: "/",
  });
  try {
    let errors = "";
    child.stderr.on("data", (d: Buffer) => {
      errors += d.toString();
    });
    const said = (word: string) =>
      new Promise<void>((resolve, reject) => {
        child.stdout.on("data", (d: Buffer) => d.includes(word) && resolve());
        child.once("error", reject);
        child.once("exit", () => reject(new Error(errors.trim() || "unshare --user failed")));
      });
    await said("made");
    const keep = Math.min(LAST_KEPT, id - 1);
    const map = `0 0 ${SANDBOX_ID}\n${SANDBOX_ID} ${id} 1\n${SANDBOX_ID + 1} ${SANDBOX_ID + 1} ${keep - SANDBOX_ID}\n`;
    fs.writeFileSync(`/proc/${child.pid}/uid_map`, map);
    fs.writeFileSync(`/proc/${child.pid}/gid_map`, map);
    const done = said("done");
    child.stdin.write("\n");
    await done;
    return fs.openSync(`/proc/${child.pid}/ns/user`, "r");
  } finally {
    child.kill("SIGKILL");
  }
}

let identity: Promise<Identity> | null = null;

/** Made once in a process. Rejects when this machine allows no user namespaces. */
export function sandboxIdentity(): Promise<Identity> {
  identity ??= (async () => {
    const uid = process.getuid?.() ?? 0;
    if (uid !== 0) return { id: uid, userNamespace: null };
    const id = freeId();
    return { id, userNamespace: await openUserNamespace(id) };
  })();
  return identity;
}
