import { Command } from "commander";
import { keyState } from "@/lib/model/chat/keys";
import { probe } from "@/lib/model/chat/probe";
import { type Endpoint, readSettings, settingsFile } from "@/lib/model/chat/settings";
import { formatCount, formatDuration, UNKNOWN } from "@/lib/text/format";
import { type JsonOption, openIndex, print, UsageError } from "./output";

/** Where a key stands, in words; never the key. */
function keyWords(endpoint: Endpoint): string {
  const state = keyState(endpoint);
  if (state.source === "environment") return `key from ${state.variable}${state.set ? "" : " (not set)"}`;
  return state.source === "file" ? "key in keys.json" : "no key";
}

function list(options: JsonOption): void {
  const settings = readSettings();
  const endpoints = settings.endpoints.map((endpoint) => ({ ...endpoint, key: keyState(endpoint) }));
  print(options, { file: settingsFile(), ...settings, endpoints }, () => {
    if (settings.endpoints.length === 0)
      return `no endpoint in ${settingsFile()}; add one there or on the settings page`;
    const roles = Object.entries(settings.roles).map(
      ([role, setting]) =>
        `  ${role.padEnd(18)} ${setting.model}${setting.temperature === undefined ? "" : `, ${setting.temperature}`}`,
    );
    return [
      "endpoints",
      ...settings.endpoints.map((e) => `  ${e.name.padEnd(18)} ${e.kind.padEnd(10)} ${e.baseUrl}  ${keyWords(e)}`),
      "models",
      ...settings.models.map((m) => `  ${m.name.padEnd(18)} ${m.endpoint.padEnd(10)} ${m.id}`),
      "roles",
      ...(roles.length > 0 ? roles : ["  none: the built-in rules play them"]),
    ];
  });
}

const tokens = (n: number | null) => (n === null ? UNKNOWN : formatCount(n));

async function test(name: string, options: JsonOption): Promise<void> {
  const settings = readSettings();
  if (!settings.models.some((model) => model.name === name))
    throw new UsageError(`there is no model "${name}"; see misstep models`);
  const result = await probe(openIndex(), settings, name);
  print(options, result, () =>
    result.ok
      ? [
          result.text === "" ? "(no text)" : result.text,
          `${formatDuration(result.durationMs)}, ${tokens(result.usage.input)} tokens in, ${tokens(result.usage.output)} out, ended by ${result.finish}; call ${result.callId}`,
        ]
      : [`failed after ${formatDuration(result.durationMs)}: ${result.error}`, ...(result.reply ? [result.reply] : [])],
  );
  if (!result.ok) process.exitCode = 1;
}

/** misstep models */
export function modelsCommand(): Command {
  const command = new Command("models").description("models behind endpoints: list them, test their connection");
  command
    .command("list", { isDefault: true })
    .description("endpoints, models and roles of the settings")
    .option("--json", "print JSON")
    .action(list);
  command
    .command("test")
    .argument("<model>", "name of a model in the settings")
    .description("ask a model one question, and print what it says")
    .option("--json", "print JSON")
    .action(test);
  return command;
}
