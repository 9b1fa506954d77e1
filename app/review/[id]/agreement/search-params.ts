import { createLoader, createSerializer, parseAsInteger } from "nuqs/server";

export const agreementParams = {
  /** Of a norming queue: 1 blind, 2 after the reveal. */
  round: parseAsInteger.withDefault(1),
};

export const loadAgreementParams = createLoader(agreementParams);
const serialize = createSerializer(agreementParams);

/** Address of a queue's agreement page. */
export const agreementHref = (queueId: number, round: number): string =>
  serialize(`/review/${queueId}/agreement`, { round });
