import type { SourceKind } from "@/db/schema/columns";
import type { MisbehaviorSlug } from "@/lib/profile/misbehaviors";

/** An error step as an annotator sees it (recipe 11.3): nothing of the task's topic is needed. */
export interface Example {
  /** Step id. */
  id: number;
  /** The rejected command, cut when long; null: the reply held none. */
  command: string | null;
  /** What it does, one line (the localizer's `command_seen`). */
  commandSeen: string | null;
  /** Why it is a failure: most of the signal. */
  reason: string | null;
  /** Misbehaviors that the rule detectors name for it. Only the rule annotator reads it. */
  detected: MisbehaviorSlug[];
}

/** Why an error step is in no type (recipe 11.3). `new_pattern` decides when to stop looking. */
export const UNASSIGNED = ["one_off", "new_pattern", "unclear"] as const;
export type Unassigned = (typeof UNASSIGNED)[number];

/** A type as an annotator proposes it. */
export interface ProposedType {
  /** 2 to 5 words, no tool or file names. */
  name: string;
  /** Decidable yes or no on one example alone. */
  definition: string;
  /** What it is not. */
  excludes: string[];
  exampleIds: number[];
  /** Only from rules: the detectors behind it. */
  detectors?: MisbehaviorSlug[];
}

/** A type in force while refining or labelling. */
export interface KnownType {
  id: number;
  name: string;
  definition: string;
  excludes: string[];
  examples: Example[];
  detectors: MisbehaviorSlug[];
}

/** Every id of the batch is in at least one type or in `unassigned`, exactly once there. */
export interface Proposed {
  types: ProposedType[];
  unassigned: { id: number; reason: Unassigned }[];
}

export interface Refined {
  assignments: { id: number; types: string[] }[];
  unassigned: { id: number; reason: Unassigned }[];
  newTypes: ProposedType[];
}

export interface Labelled {
  assignments: { id: number; types: string[] }[];
  /** Fits no type: a normal outcome. */
  unassigned: number[];
}

/** What an annotator answered, with what was mended in it and the call it came from (null: rules). */
export interface Annotated<T> {
  output: T;
  repairs: string[];
  callId: number | null;
}

/** Names and labels error types (recipe 11.3 to 11.5). Every method rejects with RoleFailure. */
export interface Annotator {
  readonly kind: SourceKind;
  readonly name: string;
  readonly version: string;
  propose(batch: Example[]): Promise<Annotated<Proposed>>;
  refine(types: KnownType[], batch: Example[]): Promise<Annotated<Refined>>;
  label(types: KnownType[], batch: Example[]): Promise<Annotated<Labelled>>;
}
