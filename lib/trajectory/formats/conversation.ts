import { emptyStep, observation, placeObservations, turnSteps } from "@/lib/trajectory/build";
import { unwrapOutput } from "@/lib/trajectory/outputs";
import { contentOf, splitThinking } from "@/lib/trajectory/text";
import { statedCalls, writtenCalls } from "@/lib/trajectory/tool-calls";
import type { Json, JsonObject, Observation, Step, StepNote, ToolCall, Warning } from "@/lib/trajectory/types";
import { arrayAt, instantOf, isObject, nameAt, objectAt, stringAt, usageOf } from "@/lib/trajectory/value";

export interface Dialect {
  /** JSON pointer of the message list, for warnings. */
  where: string;
  /** Calls to read from the text of a reply that states none. */
  calls?(message: JsonObject, text: string): ToolCall[];
  /** Whether a user message that follows unanswered calls is their observation. */
  observes?(text: string): boolean;
  /** Whether a user message is the harness's complaint about a reply that could not be read. */
  complains?(text: string, hadCall: boolean): boolean;
  /** Reads exit code and output range into an observation that came with `message`. */
  unwrap?(item: Observation, message: JsonObject): void;
  /** Why a message other than a reply is there. */
  note?(message: JsonObject, index: number, last: boolean): StepNote;
}

const AGENT = new Set(["assistant", "agent", "model", "gpt", "ai", "bot"]);
const USER = new Set(["user", "human", "environment"]);
const SYSTEM = new Set(["system", "developer"]);
const TOOL = new Set(["tool", "function", "ipython", "tool_response", "observation", "function_call_output"]);
const COMPLAINT =
  /^(?:Format error|FORMAT ERROR|Your (?:last )?(?:output|response) (?:was not formatted|could not be parsed|did not)|No tool calls? (?:was|were) found)/;

/** Reads chat messages, in order, into steps. One object a conversation. */
export class Conversation {
  readonly steps: Step[] = [];
  readonly warnings: Warning[] = [];
  /** Steps of the last reply. */
  private reply: Step[] = [];
  private pending: { items: Observation[]; sources: Json[] } = { items: [], sources: [] };
  private turn = 0;
  private unknown = new Map<string, number>();

  constructor(private readonly dialect: Dialect) {}

  readAll(messages: Json[]): this {
    messages.forEach((message, index) => {
      this.read(message, index, index === messages.length - 1);
    });
    this.flush();
    for (const [role, count] of this.unknown) {
      this.warn("", `${count} messages have the unknown role ${JSON.stringify(role)}; kept as user messages`);
    }
    return this;
  }

  private warn(path: string, message: string): void {
    this.warnings.push({ path: this.dialect.where + path, message });
  }

  private read(message: Json, index: number, last: boolean): void {
    if (!isObject(message)) {
      this.warn(`/${index}`, "a message is no object; kept as its JSON text");
      this.other("user", typeof message === "string" ? message : JSON.stringify(message), [message], null);
      return;
    }
    const stated = nameAt(message, "role") ?? nameAt(message, "from");
    const role = stated ?? (message.object === "response" ? "assistant" : (nameAt(message, "type") ?? "(none)"));
    if (AGENT.has(role)) this.agent(message);
    else if (TOOL.has(role)) this.tool(message);
    else {
      const known = SYSTEM.has(role) ? "system" : "user";
      if (known === "user" && !USER.has(role) && role !== "exit")
        this.unknown.set(role, (this.unknown.get(role) ?? 0) + 1);
      this.said(known, role, message, index, last);
    }
  }

  private agent(message: JsonObject): void {
    this.flush();
    const content = contentOf(message.content ?? message.value ?? responseText(message));
    let text = message.content === null && content.text === null ? null : content.text;
    let thinking =
      stringAt(message, "reasoning_content") ??
      stringAt(message, "reasoning") ??
      stringAt(message, "thinking") ??
      content.thinking;
    if (thinking === null && text !== null && text.includes("think>")) {
      const split = splitThinking(text);
      if (split) ({ thinking, message: text } = split);
    }
    let calls = statedCalls(message);
    if (calls.length === 0 && text !== null) calls = this.dialect.calls?.(message, text) ?? writtenCalls(text);
    const extra = objectAt(message, "extra");
    const response = objectAt(extra, "response") ?? message;
    this.reply = turnSteps({
      turn: this.turn,
      actor: nameAt(message, "name"),
      thinking: thinking ?? responseThinking(message, response),
      message: text,
      calls,
      time: instantOf(message.timestamp ?? extra?.timestamp),
      usage: usageOf(objectAt(response, "usage") ?? message.usage, extra?.cost),
      source: [message],
    });
    this.turn += 1;
    this.steps.push(...this.reply);
  }

  private tool(message: JsonObject): void {
    const ids = arrayAt(message, "tool_call_ids");
    const id =
      nameAt(message, "tool_call_id") ?? nameAt(message, "call_id") ?? (typeof ids?.[0] === "string" ? ids[0] : null);
    const content = contentOf(message.content !== undefined ? message.content : (message.output ?? message.value));
    this.observe(observation(content.text, id), message);
  }

  private observe(item: Observation, message: JsonObject): void {
    const wrong = objectAt(message, "error");
    item.error = stringAt(wrong, "message") ?? stringAt(message, "error");
    if (stringAt(wrong, "type") === "timeout") item.timedOut = true;
    if (this.dialect.unwrap) this.dialect.unwrap(item, message);
    else unwrapOutput(item);
    this.pending.items.push(item);
    this.pending.sources.push(message);
  }

  private said(kind: "user" | "system", role: string, message: JsonObject, index: number, last: boolean): void {
    const note = role === "exit" ? "exit" : (this.dialect.note?.(message, index, last) ?? null);
    const parts = arrayAt(message, "content")?.filter((part) => stringAt(part, "type") === "tool_result") ?? [];
    for (const part of parts) {
      const content = isObject(part) ? contentOf(part.content) : null;
      this.observe(observation(content?.text ?? null, nameAt(part, "tool_use_id")), message);
    }
    if (parts.length > 0 && parts.length === arrayAt(message, "content")?.length) return;
    const text = contentOf(message.content !== undefined ? message.content : message.value).text;
    const hadCall = this.reply.some((step) => step.call !== null);
    if (
      kind === "user" &&
      note === null &&
      text !== null &&
      hadCall &&
      this.pending.items.length === 0 &&
      this.answers(text, message)
    )
      return;
    this.flush();
    const after = this.reply.length > 0;
    const complaint =
      kind === "user" &&
      note === null &&
      after &&
      text !== null &&
      (this.dialect.complains?.(text, hadCall) ?? (!hadCall && COMPLAINT.test(text.slice(0, 200))));
    this.other(kind, text, [message], complaint ? "format-error" : note);
    const step = this.steps[this.steps.length - 1];
    if (!step) return;
    step.actor = nameAt(message, "name") ?? (USER.has(role) || SYSTEM.has(role) || role === "exit" ? null : role);
    step.time = instantOf(message.timestamp ?? objectAt(message, "extra")?.timestamp);
  }

  /** A user message that answers the calls of the reply before it. */
  private answers(text: string, message: JsonObject): boolean {
    const item = observation(text);
    const open = text.indexOf("<tool_response>");
    if (open !== -1 && text.slice(0, open).trim() === "") {
      const blocks = [...text.matchAll(/<tool_response>\n?([\s\S]*?)\n?<\/tool_response>/g)];
      if (blocks.length > 1 && blocks.length === this.reply.length) {
        for (const block of blocks) this.observe(inside(block[0], block[1] ?? ""), message);
        this.pending.sources.fill(null, -blocks.length + 1);
        return true;
      }
      this.observe(blocks[0] && blocks.length === 1 ? inside(text, blocks[0][1] ?? "") : item, message);
      return true;
    }
    if (text.startsWith("EXECUTION RESULT of [")) {
      const start = text.indexOf("\n") + 1;
      this.observe(item, message);
      item.output = start > 0 ? [start, item.output?.[1] ?? text.length] : item.output;
      return true;
    }
    if (!this.dialect.observes?.(text)) return false;
    this.observe(item, message);
    return true;
  }

  private other(kind: "user" | "system", text: string | null, source: Json[], note: StepNote): void {
    this.flush();
    const step = emptyStep(kind, null);
    step.message = text;
    step.note = note;
    step.source = source;
    this.steps.push(step);
    this.reply = [];
  }

  private flush(): void {
    const { items, sources } = this.pending;
    if (items.length === 0) return;
    this.pending = { items: [], sources: [] };
    if (this.reply.length > 0) {
      placeObservations(this.reply, items, sources);
      return;
    }
    this.warn("", `${items.length} tool results follow no reply; kept as a user entry`);
    const step = emptyStep("user", null);
    step.observations = items;
    step.source = sources;
    this.steps.push(step);
  }
}

function inside(text: string, inner: string): Observation {
  const item = observation(text);
  const start = text.indexOf(inner, text.indexOf("<tool_response>") + 15);
  item.output = [start, start + inner.length];
  return item;
}

/** Text of a responses-API reply, whose `output` lists messages, reasoning and calls. */
function responseText(message: JsonObject): Json | undefined {
  const output = arrayAt(message, "output");
  if (!output) return undefined;
  const parts = output.flatMap((item) =>
    stringAt(item, "type") === "message" ? (arrayAt(item, "content") ?? []) : [],
  );
  return parts.length > 0 ? parts : null;
}

function responseThinking(message: JsonObject, response: JsonObject): string | null {
  const first = objectAt(arrayAt(response, "choices")?.[0], "message");
  const stated = stringAt(first, "reasoning_content") ?? stringAt(first, "reasoning");
  if (stated !== null) return stated;
  const pieces = (arrayAt(message, "output") ?? [])
    .filter((item) => stringAt(item, "type") === "reasoning")
    .flatMap((item) => arrayAt(item, "summary") ?? arrayAt(item, "content") ?? [])
    .map((part) => stringAt(part, "text"))
    .filter((text) => text !== null);
  return pieces.length > 0 ? pieces.join("\n") : null;
}
