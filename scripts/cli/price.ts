import { Command, InvalidArgumentError, Option } from "commander";
import { PAPER_PRICES } from "@/lib/model/chat/paperPrices";
import { addPrice, listPrices, PriceRefused } from "@/lib/model/chat/price";
import { formatTime, plural } from "@/lib/text/format";
import { type JsonOption, openIndex, print, UsageError } from "./output";

interface AddOptions extends JsonOption {
  like?: string;
  input?: number;
  cached?: number;
  output?: number;
  currency?: string;
  rate?: number;
  from?: number;
}

function amount(text: string): number {
  if (!/^\d+(\.\d+)?$/.test(text)) throw new InvalidArgumentError("an amount, as 0.33");
  return Number(text);
}

function date(text: string): number {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(at)) throw new InvalidArgumentError("a date, as 2026-01-31 (UTC)");
  return at;
}

/** The beginning of today, UTC. */
const today = () => Math.floor(Date.now() / 86_400_000) * 86_400_000;

function add(model: string, options: AddOptions): void {
  const like = PAPER_PRICES.find((row) => row.label === options.like);
  const input = options.input ?? like?.input;
  const output = options.output ?? like?.output;
  if (input === undefined || output === undefined)
    throw new UsageError("give --input and --output, or --like a row of the paper");
  try {
    const { id, priced } = addPrice(
      openIndex(),
      {
        model,
        currency: options.currency ?? like?.currency ?? "USD",
        usdRate: options.rate ?? like?.usdRate,
        input,
        cached: options.cached ?? like?.cached,
        output,
        validFrom: options.from ?? today(),
      },
      "cli",
    );
    print(options, { id, priced }, () => `price ${id} added; ${plural(priced, "earlier call")} had none and got it`);
  } catch (error) {
    if (error instanceof PriceRefused) throw new UsageError(error.message);
    throw error;
  }
}

/** misstep price */
export function priceCommand(): Command {
  const command = new Command("price").description("prices of models per million tokens, each from a date on");
  command
    .command("list", { isDefault: true })
    .description("all price rows, newest first")
    .option("--json", "print JSON")
    .action((options: JsonOption) => {
      const rows = listPrices(openIndex());
      print(options, rows, () =>
        rows.length === 0
          ? "no price yet; misstep price add"
          : rows.map(
              (row) =>
                `${row.model.padEnd(24)} from ${formatTime(row.validFrom)}  ${row.currency} ${row.input} in, ${row.cached ?? row.input} cached, ${row.output} out${row.usdRate === null ? "" : `; 1 ${row.currency} = $${row.usdRate}`}`,
            ),
      );
    });
  command
    .command("add")
    .argument("<model>", "name of the model in the settings")
    .description("add a price row; calls it covers that had no price get a cost")
    .addOption(new Option("--like <row>", "a row of the paper's table").choices(PAPER_PRICES.map((row) => row.label)))
    .option("--input <amount>", "per million input tokens", amount)
    .option("--cached <amount>", "per million input tokens that were cached; default as --input", amount)
    .option("--output <amount>", "per million output tokens", amount)
    .option("--currency <code>", "default USD")
    .option("--rate <usd>", "how many USD one unit of the currency is", amount)
    .option("--from <date>", "in force from this date on (UTC); default today", date)
    .option("--json", "print JSON")
    .action(add);
  return command;
}
