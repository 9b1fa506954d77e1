import { FORMAT_MESSAGE, SYSTEM_MESSAGE } from "@/lib/profile/proposal";
import type { Harness } from "@/lib/profile/roles";
import {
  type Dialect,
  type DialectName,
  hasNul,
  NUL_FAULT,
  noCommand,
  observationOf,
  partsOf,
  severalCommands,
} from "./dialect";

/** How commands stand in a text. */
interface TextForm {
  name: DialectName;
  harness: Harness;
  /** Commands of a text, in order. */
  find(text: string): string[];
  write(command: string): string;
  /** What the user's turn says about the outcome of a command. */
  answer(observation: string): string;
}

/** A dialect in which commands are part of the text; earlier turns keep their thinking in it. */
function textDialect(form: TextForm): Dialect {
  return {
    name: form.name,
    harness: form.harness,
    read(reply) {
      const { thinking, text } = partsOf(reply);
      const commands = form.find(text);
      const unfit = commands[0] !== undefined && hasNul(commands[0]);
      const command = unfit ? null : (commands[0] ?? null);
      const formatError = unfit
        ? NUL_FAULT
        : commands.length === 0
          ? noCommand(reply, "the reply holds no command in the form that was asked for")
          : commands.length > 1
            ? severalCommands(commands.length)
            : null;
      return { thinking, command, message: text === "" ? null : text, formatError, reply: null };
    },
    say(step) {
      const command = step.call?.command ?? null;
      const text = step.message ?? "";
      // The policy's own text holds its command; a teacher's step may have come in another form.
      const own = command === null || form.find(text)[0] === command;
      const content = own ? text : [text, form.write(command)].filter((part) => part !== "").join("\n\n");
      const said = {
        role: "assistant" as const,
        content: content === "" ? "(no command)" : content,
        thinking: step.thinking ?? undefined,
      };
      return command === null ? [said] : [said, { role: "user", content: form.answer(observationOf(step)) }];
    },
  };
}

const inFence = ["Write the command as one fenced block in your reply, like this:", "```bash", "ls -la", "```"].join(
  "\n",
);

/** One fenced block, as mini-SWE-agent has it. */
export const fencedDialect = textDialect({
  name: "fenced",
  harness: { system: `${SYSTEM_MESSAGE}\n${inFence}`, formatMessage: `${FORMAT_MESSAGE}\n${inFence}` },
  find: (text) =>
    [...text.matchAll(/^[ \t]*```(?:bash|sh|shell)[ \t]*\r?\n([\s\S]*?)^[ \t]*```[ \t]*$/gim)].map((match) =>
      (match[1] ?? "").replace(/\r?\n$/, ""),
    ),
  write: (command) => `\`\`\`bash\n${command}\n\`\`\``,
  answer: (observation) => observation,
});

const inXml = [
  "You have one tool: bash, with one parameter, command. Call it in exactly this form:",
  "<tool_call>",
  "<function=bash>",
  "<parameter=command>",
  "ls -la",
  "</parameter>",
  "</function>",
  "</tool_call>",
].join("\n");

/** Qwen's XML form of a tool call in the text, for servers that do not read it themselves (recipe 2). */
export const qwenDialect = textDialect({
  name: "qwen3_xml",
  harness: { system: `${SYSTEM_MESSAGE}\n${inXml}`, formatMessage: `${FORMAT_MESSAGE}\n${inXml}` },
  find: (text) =>
    [
      ...text.matchAll(
        /<tool_call>\s*<function=bash>\s*<parameter=command>\r?\n?([\s\S]*?)\r?\n?<\/parameter>\s*<\/function>\s*<\/tool_call>/g,
      ),
    ].map((match) => match[1] ?? ""),
  write: (command) =>
    `<tool_call>\n<function=bash>\n<parameter=command>\n${command}\n</parameter>\n</function>\n</tool_call>`,
  answer: (observation) => `<tool_response>\n${observation}\n</tool_response>`,
});
