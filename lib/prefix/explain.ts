import type { Cause } from "./types";

/** What a cause is called, what happened in one sentence, and what would make the command deterministic (recipe 9). */
export interface Explanation {
  name: string;
  sentence: string;
  fix: string;
}

export const EXPLANATIONS: Record<Cause, Explanation> = {
  time: {
    name: "time",
    sentence: "The output shows the clock or the time a file was changed, and time went on.",
    fix: "Give files fixed times in the image, list without times (ls -1, stat -c %s), or run under a fixed clock.",
  },
  pid: {
    name: "process number",
    sentence: "The output shows process or job numbers, which the system hands out anew.",
    fix: "Start the same processes in the same order in a process namespace of its own, or print names and not numbers.",
  },
  "temp-name": {
    name: "temporary name",
    sentence: "The output shows a temporary file's name, which is made up anew each time.",
    fix: "Use a fixed path; setting TMPDIR does not help, the last part stays random.",
  },
  order: {
    name: "order",
    sentence:
      "The same things came in another order: a folder's own order, a hash order, or parts that ran beside each other.",
    fix: "Sort what is listed, set PYTHONHASHSEED=0 at recording and rerun, and wait for background work before printing.",
  },
  duration: {
    name: "duration",
    sentence: "The output shows how long or how fast something went.",
    fix: "Silence timings and progress (--quiet, PIP_PROGRESS_BAR=off, TQDM_DISABLE=1).",
  },
  address: {
    name: "address or id",
    sentence: "The output shows a memory address or an id made for this run.",
    fix: "Run without address space randomisation (setarch -R), or do not print addresses and ids.",
  },
  network: {
    name: "network",
    sentence: "The command asked the network, and the answer was not the recorded one.",
    fix: "Keep what it fetches in the image, or use a mirror or cache that is pinned.",
  },
  "missing-file": {
    name: "missing file",
    sentence: "A file or program was there in one of the two runs and not in the other.",
    fix: "Build the image with everything the recording had; check that no earlier step was dropped.",
  },
  randomness: {
    name: "randomness",
    sentence: "The output comes from a random source.",
    fix: "Give the source a fixed seed (shuf --random-source, random.seed); $RANDOM takes RANDOM=1.",
  },
  "exit-code": {
    name: "exit code",
    sentence: "The command ended with another exit code than the recorded one.",
    fix: "Look at what the command tests: limits, permissions, or a state an earlier step left.",
  },
  other: {
    name: "other",
    sentence: "The outputs differ and no known cause explains it.",
    fix: "Read the difference: a package of another version, a resource limit, or a state that no step shows.",
  },
};
