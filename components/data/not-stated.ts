/** In a URL: rows whose file does not state the value. */
export const NOT_STATED = "(not stated)";
