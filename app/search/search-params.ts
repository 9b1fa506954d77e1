import { createLoader, createSerializer, parseAsInteger, parseAsString, parseAsStringLiteral } from "nuqs/server";

export const searchParams = {
  q: parseAsString.withDefault(""),
  in: parseAsStringLiteral(["steps", "reasons"] as const),
  /** With the rollouts that trainings and measurements made. */
  made: parseAsStringLiteral(["yes"] as const),
  before: parseAsInteger,
};
export const loadSearchParams = createLoader(searchParams);
const serialize = createSerializer(searchParams);
export const searchHref = (params: {
  q: string;
  in?: "steps" | "reasons";
  made?: "yes" | null;
  before?: number | null;
}): string => serialize("/search", params);
