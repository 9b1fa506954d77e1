import { ENGINE, ENV_NAME, VERL } from "./contract";
import type { LaunchFacts } from "./launch";
import type { LeftOut } from "./make";
import type { BundleSettings } from "./settings";

interface Contents {
  rows: number;
  tasks: number;
  leftOut: readonly LeftOut[];
}

const n = (count: number, one: string): string => `${count} ${one}${count === 1 ? "" : "s"}`;

/** What this trainer does otherwise than Misstep's own does with the same settings. */
function differences({ train, format }: BundleSettings): string[] {
  const judged = train.reward.kind === "outcome-and-behavior";
  return [
    "A reward is always a number there. A prefix whose state is not reached, tests that do not run and a judge that gives no verdict are handed over as 0 and marked in the step's metadata, in the rollout's numbers (`misstep_left_out`) and in the step log; Misstep reads them back as void or unjudged, but the trainer's groups counted them as 0. Watch their share.",
    ...(judged
      ? [
          "The judge is a chat model behind an OpenAI-compatible address, asked with the prompt of Misstep's behavior judge. The environment is handed calls, not replies, so the judge reads commands and outputs without the thinking before them.",
        ]
      : []),
    "A turn without a call the trainer can read ends the rollout there unless feedback is on, and tokens that run out end it too: the hidden tests are then not run and the reward is 0. At the step limit they are run when the settings say so.",
    "Several calls in one turn are several steps.",
    "The submit marker counts anywhere in an output, not only alone on its first line.",
    ...(format === "open-instruct"
      ? [
          "Outputs over 10,000 characters are shortened in the trainer's own words; those in the prefix keep Misstep's.",
          train.resample > 0
            ? "Groups without spread are replaced until the step is full, not up to a number of times; how such groups count toward `--total_episodes` was not looked into, so check the number of steps."
            : "Groups without spread are dropped and not replaced.",
          "The learning rate is constant from the first step on.",
          "Steps are asynchronous: rollouts up to four steps old are trained on, against the probabilities they were sampled with.",
        ]
      : [
          "verl trains on groups without spread too; their advantages are 0.",
          "Only the first call of a turn is run.",
          "There is no network in the containers, whatever the task says.",
        ]),
  ];
}

const openInstruct = ({ learners, engines }: BundleSettings, facts: LaunchFacts): string[] => [
  `1. Get the trainer: \`git clone ${ENGINE.repository} && cd tmax && git checkout ${ENGINE.commit}\`. The checkout that the script wants is \`${ENGINE.folder}\`; install it as its own README says.`,
  "2. Build the tasks' containers on every node that runs sandboxes: `./build-images.sh` (`ENGINE=podman` for podman). Environments that were made without a Dockerfile name an image instead.",
  "3. Start a Ray cluster (`ray start --head`), with the judge's key exported first when it needs one (`MISSTEP_JUDGE_KEY`).",
  `4. \`./launch.sh CHECKOUT\` inside it. It copies \`environment/misstep_env\` into the checkout, adds \`${ENV_NAME}\` to \`TOOL_REGISTRY\` (two lines at the end of \`open_instruct/environments/tools/tools.py\`), and starts \`${ENGINE.entry}\`. Variables: NAME, MODEL, LEARNERS (${learners}), ENGINES (${engines}), SEQUENCE_PARALLEL, ROLLOUTS, OUTPUT, PYTHON, TRACKING=1 for Weights & Biases.`,
  `5. Read the rollouts back while they are written: \`misstep train read-back ROLLOUTS --bundle manifest.json --follow\`, or on the page Train.`,
  "",
  `Prompts are let through up to ${facts.promptTokens} tokens, reckoned at two bytes a token; raise \`--max_prompt_token_length\` and \`--pack_length\` together when your tokenizer needs more. There is no \`--system_prompt_override_file\`: rows carry the system message that the prefix was recorded with.`,
];

const verl = (): string[] => [
  `1. Install verl at commit ${VERL.commit} (${VERL.repository}).`,
  "2. Build the tasks' containers on every machine that rolls out: `./build-images.sh`.",
  "3. `./launch-verl.sh`. It writes the rows as Parquet (with the `datasets` package that verl needs anyway), names the agent loop `environment/agent_loop.py`, and starts `verl.trainer.main_ppo`. TOOL_FORMAT names verl's parser of tool calls (default hermes), STEPS the folder of the step log, MISSTEP_JUDGE_URL, _MODEL and _KEY the judge.",
  "",
  "The agent loop was written after the interface at that commit and run against a stand-in of it, not in a training of verl. verl does not write rollout files that Misstep reads back; the step log holds the texts.",
];

/** README.md of a bundle. */
export function readme(settings: BundleSettings, facts: LaunchFacts, { rows, tasks, leftOut }: Contents): string {
  const { train, format } = settings;
  return [
    `# ${train.recipe} for ${format}`,
    "",
    `${n(rows, "row")} in ${n(tasks, "task")}; ${train.batch} groups of ${train.group} a step, ${train.steps} steps, learning rate ${train.learningRate}. Written by Misstep; \`manifest.json\` has the settings and the SHA-256 of every file.`,
    "",
    "## What to do",
    "",
    ...(format === "verl" ? verl() : openInstruct(settings, facts)),
    "",
    "## What differs from a training by Misstep itself",
    "",
    ...differences(settings).map((text) => `- ${text}`),
    "",
    "## What is in it",
    "",
    "- Rows: the prefix is the prompt, so it gets no loss; what is run again to reach its state stands in `env_config.replay` with the outputs that were recorded. Each is compared exactly before the first turn.",
    "- `tasks/`: instruction, image and hidden tests. The tests are copied into a container only when the rollout has ended, and are in no prompt; the reference solutions are not here.",
    settings.withoutImages
      ? "- The containers are not in it: `tasks/*/image.txt` names them, `manifest.json` has the digest of the files they are built from."
      : "- `images/`: what the containers are built from.",
    "- `environment/`: the environment package, standard library only.",
    ...(leftOut.length === 0
      ? []
      : ["", "## Left out", "", ...leftOut.map(({ start, reason }) => `- ${start}: ${reason}`)]),
    "",
  ].join("\n");
}
