import { Command } from "commander";
import { checkpointFolder, readCard } from "@/lib/model/policy/checkpoint";
import { formatCount, formatDuration } from "@/lib/text/format";
import { CheckpointTaken, checkNewCheckpoint } from "@/lib/train/pretrain/name";
import { pretrainSettings } from "@/lib/train/pretrain/settings";
import { type JsonOption, openIndex, print, UsageError } from "./output";
import { whole } from "./prefix";
import { runToEnd } from "./runJob";

interface Options extends JsonOption {
  name: string;
  seed?: number;
  demonstrations?: number;
  steps?: number;
}

/** misstep pretrain */
export function pretrainCommand(): Command {
  return new Command("pretrain")
    .description(
      "makes a base checkpoint of the embedded policy: demonstrations run in sandboxes, then supervised training on them. The same settings give the same weights on the same kind of machine. Killed, it goes on: demonstrations and stretches of training that are there already are not made again",
    )
    .requiredOption("--name <name>", "of the checkpoint; one that no checkpoint here has")
    .option("--seed <n>", "decides everything that is drawn", whole(0, Number.MAX_SAFE_INTEGER))
    .option("--demonstrations <n>", "environments demonstrated, one each", whole(1, 200_000))
    .option("--steps <n>", "of training, 32 demonstrations each", whole(1, 1_000_000))
    .option("--json", "print JSON")
    .action(async ({ json, ...given }: Options) => {
      const settings = pretrainSettings.safeParse(given);
      if (!settings.success) throw new UsageError(settings.error.issues.map((issue) => issue.message).join("; "));
      const db = openIndex();
      const { name } = settings.data;
      try {
        checkNewCheckpoint(db, name);
      } catch (error) {
        if (error instanceof CheckpointTaken) throw new UsageError(error.message);
        throw error;
      }
      const job = await runToEnd(db, {
        kind: "pretrain",
        title: `Pretrain ${name}`,
        params: settings.data,
        requestedBy: "cli",
      });
      const folder = job.status === "done" ? checkpointFolder(name) : null;
      const card = folder === null ? null : readCard(folder);
      const took = job.started_at !== null && job.finished_at !== null ? job.finished_at - job.started_at : null;
      print({ json }, { job: job.id, status: job.status, error: job.error, folder, card }, () => [
        ...(card === null
          ? [`job ${job.id} ${job.status}${job.error === null ? "" : `: ${job.error}`}`]
          : [
              `${card.name}: ${formatCount(card.parameters)} parameters, ${formatCount(Number(card.training.steps))} steps, loss ${card.curve.at(-1)?.loss.toFixed(3)}`,
              `weights ${card.weights}`,
              `in ${folder}`,
            ]),
        ...(took === null ? [] : [`took ${formatDuration(took)}`]),
      ]);
      if (job.status !== "done") process.exitCode = 1;
    });
}
