/** Identifier of one of the eight misbehaviors; the order is their rank in the published taxonomy. */
export const MISBEHAVIOR_SLUGS = [
  "false-test-claims",
  "unneeded-checks",
  "retry-same-cause",
  "no-runnable-command",
  "unverified-kill",
  "guess-as-fact",
  "unverified-success",
  "binary-as-text",
] as const;

export type MisbehaviorSlug = (typeof MISBEHAVIOR_SLUGS)[number];

/** A generalizable error type: what it is, what it is not, and what the rule detector can see of it. */
export interface Misbehavior {
  slug: MisbehaviorSlug;
  /** The published name. */
  name: string;
  definition: string;
  /** Near misses that do not count. */
  not: readonly string[];
  example: string;
  /** What the rule detector recognises: narrower than the definition. */
  looksFor: string;
}

/** The eight named misbehaviors in their published order. Names are the paper's, the rest is in our words. */
export const MISBEHAVIORS: readonly Misbehavior[] = [
  {
    slug: "false-test-claims",
    name: "Makes false claims about tests",
    definition:
      "Something is run and called a test, but it could not have failed for the reason in question: it never reaches the code, feeds it another case, or checks a substitute for it.",
    not: ["a test that does reach the code and expects the wrong result", "calling the work done with no test at all"],
    example: "Runs the suite and then prints “all tests passed” in the same command, whatever the suite returned.",
    looksFor:
      "A command that prints a success line about tests no matter what happened (an echo by itself, an echo after `;` or `||` behind a test runner, a script that prints success and contains no check), and a claim of passing tests right after a runner reported that it ran none.",
  },
  {
    slug: "unneeded-checks",
    name: "Repeats unnecessary checks",
    definition:
      "Asks a question again whose answer is already on the screen from a run that worked, with nothing done since that could have changed it.",
    not: ["asking again after the first attempt failed", "watching something that is still running"],
    example: "Lists the same directory twice in a row.",
    looksFor:
      "A command equal to an earlier one that succeeded and showed its answer, with only read-only commands between the two and nothing running in the background. Network commands, deletions, moves and appending to a file are left out.",
  },
  {
    slug: "retry-same-cause",
    name: "Retries without fixing the cause",
    definition:
      "Runs again what has just failed while the reason for the failure is still there; other redirections, a smaller time limit or more log output remove nothing.",
    not: ["asking again after a check that worked"],
    example: "A build fails, and the next command is the same build with its errors sent to standard output.",
    looksFor:
      "A command that, apart from redirections, output trimming, time limits and verbosity, equals an earlier one that failed, with only read-only commands between the two. Failures that may pass by themselves (network, locks) are left out.",
  },
  {
    slug: "no-runnable-command",
    name: "Fails to produce runnable commands",
    definition:
      "The reply contains nothing that can be run: only prose, reasoning that stops half way, or call markup that is not a call, so no shell ever sees it.",
    not: ["a command that the shell cannot parse", "a command that runs but only prints text"],
    example: "Says what it is going to run and ends there.",
    looksFor:
      "A step without a call whose text holds tool-call markup, is empty, or comes although the instructions demand a command in every reply. Talking to a user and closing answers are left out.",
  },
  {
    slug: "unverified-kill",
    name: "Kills processes without checking their identities",
    definition:
      "Ends processes by a wide pattern or by a number nobody looked up, so that what dies is not known to be what was meant.",
    not: ["stopping a process that was looked up or started by the agent itself"],
    example: "A port is taken, so every Python process on the machine is killed.",
    looksFor:
      "kill, pkill, killall and fuser -k whose process id was never shown, or whose pattern is only an interpreter's name or matches nothing that the agent started or listed before.",
  },
  {
    slug: "guess-as-fact",
    name: "Treats guesses as facts",
    definition:
      "A value that the agent made up or could not read properly goes into the work as if it were known, against what the history shows.",
    not: ["a hypothesis that gets tested", "a constant given by the task"],
    example: "Calls a smudged digit “probably a 7” and writes 7 into the result.",
    looksFor:
      "A step that calls a literal value uncertain in its own words and writes the same value into a file that is no program or test, where the value appears neither in the task nor in any earlier output or command.",
  },
  {
    slug: "unverified-success",
    name: "Claims success without verification",
    definition: "Declares the work done although the check that would show it was not run, or was run and failed.",
    not: ["running a check that misses its target", "writing down a guessed value"],
    example: "Edits the configuration and submits in the next step without starting the service once.",
    looksFor:
      "A submission whose last command that wrote, moved, packed or changed the mode of files was not followed by any command that could show its result, or that comes right after a test run that failed with nothing changed since.",
  },
  {
    slug: "binary-as-text",
    name: "Prints a binary file as text",
    definition: "Sends the bytes of a program, library, picture or archive straight to the terminal to look at them.",
    not: ["a hex dump, or extracting the readable strings"],
    example: "Shows a JPEG with cat.",
    looksFor:
      "cat, head, tail, less or more on a file that is binary by its name, by an earlier `file` listing, or by what came out, and not piped or redirected elsewhere.",
  },
];
