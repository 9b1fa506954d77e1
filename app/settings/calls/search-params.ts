import { createLoader, createSerializer, parseAsArrayOf, parseAsInteger, parseAsString } from "nuqs/server";

const list = parseAsArrayOf(parseAsString).withDefault([]);

export const callParams = {
  role: list,
  model: list,
  status: list,
  reading: list,
  job: parseAsInteger,
  /** Ids to go on from: below, above. */
  older: parseAsInteger,
  newer: parseAsInteger,
};

export const loadCallParams = createLoader(callParams);
export type CallParams = Awaited<ReturnType<typeof loadCallParams>>;
const serialize = createSerializer(callParams);

/** Address of the ledger with these parameters. */
export const callsHref = (params: Partial<CallParams>): string => serialize("/settings/calls", params);

/** Everything that narrows, cleared. */
export const CLEARED = { role: null, model: null, status: null, reading: null, job: null, older: null, newer: null };
