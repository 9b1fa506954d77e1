import { NotSignedIn } from "@/lib/people/actor";

const SIGNED_OUT = new NotSignedIn().message;

/** What to say when a call of the server failed altogether: signed out (the gate says so and runs nothing), or no answer. */
export const unreached = (error: unknown): string =>
  error instanceof Error && error.message === SIGNED_OUT
    ? SIGNED_OUT
    : "The server did not answer. Is Misstep still running? Then try again.";
