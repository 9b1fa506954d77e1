import fs from "node:fs";
import os from "node:os";

/** Milliseconds of all cores since the start of the machine. */
export interface CoreTimes {
  busy: number;
  idle: number;
}

export function coreTimes(): CoreTimes {
  const sum = { busy: 0, idle: 0 };
  for (const { times } of os.cpus()) {
    sum.idle += times.idle;
    sum.busy += times.user + times.nice + times.sys + times.irq;
  }
  return sum;
}

/** Share of the cores' time between two readings that was not idle. */
export const busyShare = (from: CoreTimes, to: CoreTimes): number => {
  const busy = to.busy - from.busy;
  return busy / (busy + to.idle - from.idle);
};

/** Bytes a process holds in memory; 0 when it is gone. */
function residentBytes(pid: number): number {
  try {
    return 1024 * Number(/^VmRSS:\s+(\d+) kB$/m.exec(fs.readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** Processes of a home for data whose command line names this script. */
function processesOf(home: string, script: string): number[] {
  return fs.readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const command = fs.readFileSync(`/proc/${name}/cmdline`, "utf8");
      if (!command.includes(script)) return [];
      const environment = fs.readFileSync(`/proc/${name}/environ`, "utf8").split("\0");
      return environment.includes(`MISSTEP_HOME=${home}`) ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
}

export interface Memory {
  trainer: number;
  host: number;
  /** Of both at one moment. */
  together: number;
}

/** Highest memory of a trainer and the sandbox host it uses, looked at again and again. */
export function watchMemory(home: string, trainer: number): { stop(): Memory } {
  const peak: Memory = { trainer: 0, host: 0, together: 0 };
  let hosts: number[] = [];
  let looks = 0;
  const timer = setInterval(() => {
    if (looks++ % 20 === 0) hosts = processesOf(home, "sandboxHost.mjs");
    const own = residentBytes(trainer);
    const host = hosts.reduce((sum, pid) => sum + residentBytes(pid), 0);
    peak.trainer = Math.max(peak.trainer, own);
    peak.host = Math.max(peak.host, host);
    peak.together = Math.max(peak.together, own + host);
  }, 200);
  return {
    stop() {
      clearInterval(timer);
      return peak;
    },
  };
}
