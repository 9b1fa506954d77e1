/** An environment of the sample: what the policy is told, what it finds, and what decides. */
export interface SampleTask {
  name: string;
  instruction: string;
  /** Bash, run as root in /app before the session. */
  setup: string;
  /** Bash, run in /app after it; prints one line a test. Exit code 0: passed. The session never sees it. */
  test: string;
}

/** One reply of the hand-written policy. */
export interface SampleStep {
  think: string;
  /** What it says aloud beside the call. */
  say?: string;
  /** The command; null for a reply without one. */
  run: string | null;
  /** Seconds; 20 when absent. */
  limit?: number;
}

/** A hand-written session: recorded by running it, never by writing down outputs. */
export interface SampleSession {
  task: SampleTask;
  /** Folder of the job it belongs to; the model is `hand-written/<job>`. */
  job: "careful" | "hasty";
  steps: SampleStep[];
}
