import { createLoader, createSerializer, parseAsInteger, parseAsString } from "nuqs/server";

/** The example shown: a family (the first when the suite has no such) and the seed it is drawn from. */
export const tinyParams = {
  family: parseAsString.withDefault(""),
  seed: parseAsInteger.withDefault(0),
};

export const loadTinyParams = createLoader(tinyParams);
const serialize = createSerializer(tinyParams);

/** Address of the catalogue with an example. */
export const tinyHref = (family: string, seed: number): string => serialize("/environments/tiny", { family, seed });
