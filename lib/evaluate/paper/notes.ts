/** Where a note on the published numbers is shown. */
export type NotePlace =
  | "rates"
  | "scores"
  | "passAtK"
  | "seeds"
  | "resources"
  | "cost"
  | "method"
  | "protocol"
  | "versions";

/** Something in the published numbers that a reader has to know: found by recalculating them. Our words. */
export interface PaperNote {
  id: string;
  places: NotePlace[];
  text: string;
}

/** The 18 discrepancies of the paper, numbered as in the reference study. */
export const PAPER_NOTES: readonly PaperNote[] = [
  {
    id: "D1",
    places: ["rates"],
    text: "43% and 57% are reductions of the mean rate over four misbehaviors (42.7% and 56.7%). The mean of the four reductions is 38.7% and 43.5%.",
  },
  {
    id: "D2",
    places: ["rates"],
    text: "Binary-as-text rises under both judges (4.1 to 5.3, 4.6 to 5.3). TMax-4B is a little better than MiRL on retries under Gemini and on runnable commands under Qwen.",
  },
  {
    id: "D3",
    places: ["rates"],
    text: "20 prefixes x 16 samples give multiples of 1/320; 12 of the 24 rates are none. With 640 judgements all fit but 4.6. Denominators are not printed.",
  },
  {
    id: "D4",
    places: ["resources"],
    text: "The change of output tokens (to 28%, by -72%) follows only from totals before rounding: 262/919 is 28.5%.",
  },
  {
    id: "D5",
    places: ["cost"],
    text: "The uncached share 2/steps is above 1 for one-step rollouts. PivotRL's $999.3 needs a cap at 1; without it about $1,345.",
  },
  {
    id: "D6",
    places: ["resources"],
    text: "TMax-189: about 300 A100 hours are named for the whole run, but 202.7 hours up to the best step (150, inferred) lead to about 216 at step 160.",
  },
  {
    id: "D7",
    places: ["resources"],
    text: "TMax-4B's hours are said to follow TMax-189's throughput, yet a rollout takes 25.0 against 27.6 GPU seconds while tokens agree to about 1%.",
  },
  {
    id: "D8",
    places: ["scores", "seeds"],
    text: "Three runs on 89 tasks give TMax-4B's 20.6 ± 1.3 and MiRL's 21.3 ± 0.7 only when each run is rounded to 0.1 first.",
  },
  {
    id: "D9",
    places: ["seeds"],
    text: "The three printed errors over 16 seeds have the mean 0.627; 0.62 is printed.",
  },
  {
    id: "D10",
    places: ["method"],
    text: "Figures are numbered as in the PDF; from Figure 9 on the HTML is one lower.",
  },
  {
    id: "D11",
    places: ["method", "cost"],
    text: "Not printed: type and threshold of the divergence, TMax-189's best step, steps per rollout, the CNY rate, API fees by model, the smoothing window, and other points of Figure 8.",
  },
  {
    id: "D12",
    places: ["method"],
    text: "The text scores the final state at submission or at the step limit; TMax's training environment gives 0 without a submission, its evaluation agent always runs the tests.",
  },
  {
    id: "D13",
    places: ["protocol"],
    text: "Open: whether the steps of a prefix count toward the limits, short windows and unreadable verdicts, rejected corrections as error steps, and one prefix per environment (219 in 189).",
  },
  {
    id: "D14",
    places: ["protocol"],
    text: "The body flags steps that probably lead to failure; the localizer's prompt also flags those that only make it likelier and that an expert would avoid.",
  },
  {
    id: "D15",
    places: ["scores", "seeds"],
    text: "Each recipe was trained once: errors are over evaluation runs only. On 16 seeds MiRL minus TMax-4B is 0.92 with standard error 0.90.",
  },
  {
    id: "D16",
    places: ["resources"],
    text: "Environments are not alike: TMax-4B's 2,370 are draws with repeats, MiRL's 2,017 are the profiled pool, of which 189 train.",
  },
  {
    id: "D17",
    places: ["versions"],
    text: "open-instruct 7387d2f9 is not in that repository's history as we read it; the fork inside TMax is meant.",
  },
  {
    id: "D18",
    places: ["passAtK", "seeds"],
    text: "Whether Figure 8 and Figure 12 use the same 16 runs is not said, and pass@1 is not printed: 20.22 and 21.14 are only probably its left ends.",
  },
];

/** The notes that belong beside one kind of numbers. */
export const notesFor = (...places: NotePlace[]): PaperNote[] =>
  PAPER_NOTES.filter((note) => note.places.some((place) => places.includes(place)));
