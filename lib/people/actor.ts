/** What a person may do; each role may do everything the ones before it may. */
export const ROLES = ["viewer", "annotator", "admin"] as const;
export type Role = (typeof ROLES)[number];

/** Who acts. `personId`: null for the command line and for the local user of an index without accounts who picked no name. */
export interface Actor {
  personId: number | null;
  name: string;
  role: Role;
}

/** The actor has not the right. The message says which one it needs. */
export class NotAllowed extends Error {}

/** Nobody is signed in where people sign in. */
export class NotSignedIn extends NotAllowed {
  constructor() {
    super("You are signed out. Sign in again (another tab will do), then repeat this.");
  }
}

/** A stored role; one that is none may only read. */
export const roleOf = (stored: string): Role => ROLES.find((role) => role === stored) ?? "viewer";

/** Throws NotAllowed unless the actor has the role or a wider one. */
export function requireRole(actor: Actor, role: Role): void {
  if (ROLES.indexOf(actor.role) >= ROLES.indexOf(role)) return;
  throw new NotAllowed(
    `This needs the role ${role}; ${actor.name} is ${actor.role}. An admin changes roles under Settings, People.`,
  );
}

/** The actor's person; throws NotAllowed where nobody is named, since an answer is always somebody's. */
export function requirePerson(actor: Actor, role: Role = "annotator"): number {
  requireRole(actor, role);
  if (actor.personId === null) throw new NotAllowed("Pick a name first: an answer is always somebody's.");
  return actor.personId;
}
