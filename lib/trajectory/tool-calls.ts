import { commandOf } from "./command";
import type { Json, JsonObject, ToolCall } from "./types";
import { arrayAt, isObject, nameAt, objectAt, stringAt } from "./value";

export function toolCall(id: string | null, name: string, args: Json): ToolCall {
  return { id, name, arguments: args, command: commandOf(name, args) };
}

/** Calls in the fields of a message: OpenAI, Inspect and Docent `tool_calls`, the older `function_call`, Anthropic `tool_use` parts, responses-API `function_call` items. */
export function statedCalls(message: JsonObject): ToolCall[] {
  const calls: ToolCall[] = [];
  for (const call of arrayAt(message, "tool_calls") ?? []) {
    const inner = objectAt(call, "function") ?? (isObject(call) ? call : {});
    const name = stringAt(call, "function") ?? stringAt(inner, "name") ?? stringAt(call, "name") ?? "";
    calls.push(
      toolCall(
        nameAt(call, "id") ?? nameAt(call, "call_id"),
        name,
        inner.arguments ?? inner.args ?? inner.parameters ?? null,
      ),
    );
  }
  if (calls.length > 0) return calls;
  const older = objectAt(message, "function_call");
  if (older) return [toolCall(null, stringAt(older, "name") ?? "", older.arguments ?? null)];
  for (const part of arrayAt(message, "content") ?? arrayAt(message, "output") ?? []) {
    const kind = stringAt(part, "type");
    if (!isObject(part)) continue;
    if (kind === "tool_use") calls.push(toolCall(nameAt(part, "id"), stringAt(part, "name") ?? "", part.input ?? null));
    if (kind === "function_call")
      calls.push(toolCall(nameAt(part, "call_id"), stringAt(part, "name") ?? "", part.arguments ?? null));
  }
  return calls;
}

const BLOCK = /<tool_call>([\s\S]*?)(?:<\/tool_call>|$)/g;
const FUNCTION = /<function=([^>\n]{1,200})>([\s\S]*?)(?:<\/function>|$)/g;
const PARAMETER = /<parameter=([^>\n]{1,200})>([\s\S]*?)(?:<\/parameter>|$)/g;

/** Calls written into the text of a message: `<tool_call>` with JSON, or `<function=…><parameter=…>`, in a tool_call block or bare. */
export function writtenCalls(text: string): ToolCall[] {
  if (text.includes("<function=")) {
    return [...text.matchAll(FUNCTION)].map(([, name, body]) => {
      const args: [string, Json][] = [...(body ?? "").matchAll(PARAMETER)].map(([, key, value]) => [
        key ?? "",
        trimLine(value ?? ""),
      ]);
      return toolCall(null, name ?? "", Object.fromEntries(args));
    });
  }
  if (!text.includes("<tool_call>")) return [];
  const calls: ToolCall[] = [];
  for (const [, body] of text.matchAll(BLOCK)) {
    const value = tryJson(body ?? "");
    if (isObject(value) && typeof value.name === "string")
      calls.push(toolCall(nameAt(value, "id"), value.name, value.arguments ?? value.parameters ?? null));
  }
  return calls;
}

/** Templates put the value on lines of its own: one line feed at either end is theirs. */
function trimLine(value: string): string {
  const start = value.startsWith("\n") ? 1 : 0;
  const end = value.endsWith("\n") && value.length > start ? value.length - 1 : value.length;
  return value.slice(start, end);
}

/** The JSON value of a text, or undefined when it is none (a model may write anything). */
export function tryJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
