/** Name of a model in the model settings; never the key or the address. */
export type ModelName = string;

/** How much a model may think before it answers; `default` leaves it to the server. */
export const THINKING_LEVELS = ["default", "off", "low", "medium", "high"] as const;
export type Thinking = (typeof THINKING_LEVELS)[number];

/** Eight roles of recipe 11, the policy, and the probe of "test connection". */
export const ROLE_NAMES = [
  "policy",
  "localizer",
  "teacher",
  "annotator",
  "behavior-judge",
  "rubric-writer",
  "rubric-judge",
  "equivalence-judge",
  "probe",
] as const;
export type RoleName = (typeof ROLE_NAMES)[number];

/** One call of a tool, as the model wrote it. `arguments` is its text: it need not be JSON. */
export interface ToolCall {
  id: string;
  name: string;
  arguments: string;
}

/** A message of a chat. Thinking of earlier turns is kept: a policy must see what it saw. */
export type ChatMessage =
  | { role: "system" | "user"; content: string }
  | { role: "assistant"; content: string; thinking?: string; calls?: ToolCall[] }
  | { role: "tool"; callId: string; name: string; content: string };

/** A tool offered to the model; `parameters` is a JSON schema. */
export interface ToolOffer {
  name: string;
  description: string;
  parameters: Record<string, unknown>;
}

/** Everything that decides a reply, and nothing else: the key of the reply cache. */
export interface ChatRequest {
  messages: ChatMessage[];
  tools?: ToolOffer[];
  temperature: number;
  topP?: number;
  maxOutputTokens?: number;
  thinking?: Thinking;
  seed?: number;
  stop?: string[];
}

/** Tokens of one call as the provider counted them; null: it did not say. */
export interface CallUsage {
  /** Whole input, cached part included. */
  input: number | null;
  /** Of the input, what came from the provider's cache. */
  cached: number | null;
  /** Whole output, reasoning included. */
  output: number | null;
  reasoning: number | null;
}

/** A reply as it came. */
export interface ChatReply {
  text: string;
  /** What the model thought, when the server gives it apart; null when it does not. */
  thinking: string | null;
  calls: ToolCall[];
  /** stop | length | tool-calls | content-filter | other */
  finish: string;
  usage: CallUsage;
  /** Row of `usage`: request, raw reply, tokens, cost. */
  callId: number;
  fromCache: boolean;
}

/** For whom a call is made. Written to the ledger. */
export interface CallPurpose {
  role: RoleName;
  /** Version of the prompt; null for a policy, whose prompt is its harness. */
  promptVersion: string | null;
  /** What it is about, in words a person can follow: "trajectory 12 step 3", an item key. */
  subject: string | null;
  /** Replies may come from the cache. Never for policies. */
  cache?: boolean;
  signal?: AbortSignal;
}

/** A chat model behind an endpoint: rate limits, retries, ledger and budget are inside. */
export interface ChatModel {
  readonly name: ModelName;
  /**
   * Rejects with CallFailure when the call failed after its retries (stored as failed), with BudgetReached when nothing
   * more may be spent, and with the signal's reason when it was aborted.
   */
  chat(request: ChatRequest, purpose: CallPurpose): Promise<ChatReply>;
}

/** A call failed for good: refused, or all tries used up. */
export class CallFailure extends Error {
  constructor(
    message: string,
    /** HTTP status of the last try; null when no answer came. */
    readonly status: number | null,
    readonly callId: number | null,
    options?: { cause?: unknown },
  ) {
    super(message, options);
    this.name = "CallFailure";
  }
}

/** The budget of a job is used up: the job pauses, everything made so far stays. */
export class BudgetReached extends Error {
  constructor(message: string) {
    super(message);
    this.name = "BudgetReached";
  }
}
