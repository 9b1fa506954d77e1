import { createLoader, createSerializer, parseAsInteger, parseAsStringLiteral } from "nuqs/server";

export const STATUSES = ["finished", "discarded", "void"] as const;

/** Which rollouts are listed: of one status, and after which id. */
export const profileParams = {
  status: parseAsStringLiteral(STATUSES),
  after: parseAsInteger,
};

export const loadProfileParams = createLoader(profileParams);
export type ProfileParams = Awaited<ReturnType<typeof loadProfileParams>>;
const serialize = createSerializer(profileParams);

/** Address of a profile with these rollouts. */
export const profileHref = (id: number, params: Partial<ProfileParams> = {}): string =>
  serialize(`/profiles/${id}`, params);
