/** How a setting is put in. `nullable`: an empty field is null, which `empty` says the meaning of. */
export type FieldInput =
  | { kind: "number" | "whole"; nullable?: boolean; optional?: boolean; empty?: string }
  | { kind: "choice"; options: readonly { value: string; label: string }[] }
  | { kind: "switch" }
  | { kind: "ids"; empty: string }
  | { kind: "role"; roles: string };

/** A setting of a training as the form shows it. */
export interface Field {
  path: string;
  label: string;
  /** What it means, in a sentence. */
  about: string;
  input: FieldInput;
  /** Shown only where another setting has one of these values. */
  when?: { path: string; is: readonly string[] };
}
