import { Option } from "commander";
import { readOrigins } from "@/lib/people/accounts/origins";
import { UsageError } from "./output";

export interface OriginOption {
  origin?: string;
}

/** --origin: the address people open. */
export const originOption = (): Option =>
  new Option("--origin <address>", "the address people open; default MISSTEP_ORIGIN, or this machine's");

/** A whole link to a path of the server. Throws UsageError where the origin is none. */
export function linkTo(path: string, { origin }: OriginOption): string {
  let origins: string[];
  try {
    origins = readOrigins(origin ?? process.env.MISSTEP_ORIGIN);
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
  return `${origins[0] ?? `http://127.0.0.1:${process.env.PORT || 3737}`}${path}`;
}
