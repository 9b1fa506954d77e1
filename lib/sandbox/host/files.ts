import path from "node:path";
import { quote } from "@/lib/sandbox/quote";

/** The command that writes what it reads to a file, in place of what is there. `mode` null: as the umask says. */
export function writing(file: string, bytes: number, mode: number | null): string {
  const q = quote(file);
  const dir = quote(path.posix.dirname(file));
  // What needs no program is done by builtins: starting a process is what costs. A umask takes no bits of running.
  const masked = mode !== null && (mode & 0o7111) === 0;
  return [
    `{ [ -d ${dir} ] || mkdir -p -- ${dir}; }`,
    `{ [ ! -e ${q} ] && [ ! -L ${q} ] || rm -f -- ${q}; }`,
    ...(masked ? [`umask ${(0o666 & ~mode).toString(8)}`] : []),
    bytes === 0 ? `: >${q}` : `head -c ${bytes} >${q}`,
    ...(mode === null || masked ? [] : [`chmod ${mode.toString(8)} -- ${q}`]),
  ].join(" && ");
}
