import type { ChatMessage, RoleName } from "@/lib/model/chat/types";

/** What could be read out of a reply. `repairs` says in words what was not as it should be and was mended. */
export type Parsed<O> = { ok: true; output: O; repairs: string[] } | { ok: false; reason: string };

/**
 * A role of recipe 11 for a model to play: what is asked (in our words) and how its answer is read. `parse` never guesses
 * a verdict: what it cannot read is not ok.
 */
export interface ModelRole<I, O> {
  readonly role: RoleName;
  /** Changes with the prompt or the parser. */
  readonly version: string;
  messages(input: I): ChatMessage[];
  parse(reply: string, input: I): Parsed<O>;
}

/** Version of a role as a model plays it: the prompt's, and what the server calls the model where that is known. */
export const versionOf = (role: { version: string }, modelId?: string): string =>
  modelId === undefined ? role.version : `${role.version} ${modelId}`;

/** What a role answered, and the call that it came from. */
export interface Answer<O> {
  output: O;
  repairs: string[];
  reply: string;
  /** Row of `usage`. */
  callId: number;
}

/** A role could not answer. Never becomes a verdict. */
export class RoleFailure extends Error {
  constructor(
    /** `failed`: the call failed; `unparsed`: a reply came and could not be read. */
    readonly kind: "failed" | "unparsed",
    message: string,
    readonly reply: string | null = null,
    /** Row of `usage` of the last call. */
    readonly callId: number | null = null,
  ) {
    super(message);
    this.name = "RoleFailure";
  }
}
