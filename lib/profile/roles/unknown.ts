/** The settings name a role that this version does not have, or that cannot be used here. The message says what there is. */
export class UnknownRole extends Error {}
