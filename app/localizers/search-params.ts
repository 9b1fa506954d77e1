import { createLoader, createSerializer, parseAsInteger } from "nuqs/server";

export const localizerParams = {
  /** Ids of the two that are compared. */
  a: parseAsInteger,
  b: parseAsInteger,
  /** Step id that the list of disagreements goes on from. */
  after: parseAsInteger,
  /** A trajectory that the form begins with. */
  trajectory: parseAsInteger,
};

export const loadLocalizerParams = createLoader(localizerParams);
export type LocalizerParams = Awaited<ReturnType<typeof loadLocalizerParams>>;
const serialize = createSerializer(localizerParams);

/** Address of the page with these parameters. */
export const localizersHref = (params: Partial<LocalizerParams>): string => serialize("/localizers", params);
