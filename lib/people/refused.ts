/** What was asked of people, roles or accounts cannot be done; the message says why and what to do. */
export class PeopleRefused extends Error {
  constructor(
    message: string,
    /** The input it is about. */
    readonly field?: string,
  ) {
    super(message);
  }
}
