/**
 * Value of a word of a Dockerfile: $NAME, ${NAME}, ${NAME:-default}, ${NAME:+other} from `values`; unknown names are
 * empty, as Docker has it. `\$` keeps the dollar.
 */
export function expand(word: string, values: ReadonlyMap<string, string>): string {
  return word.replace(
    /\\\$|\$\{([A-Za-z_]\w*)(?:(:?[-+])([^}]*))?\}|\$([A-Za-z_]\w*)/g,
    (whole, braced?: string, operator?: string, alternative?: string, plain?: string) => {
      if (whole === "\\$") return "$";
      const value = values.get(braced ?? plain ?? "");
      const set = value !== undefined && (value !== "" || !operator?.startsWith(":"));
      if (operator?.endsWith("-")) return set ? (value ?? "") : (alternative ?? "");
      if (operator?.endsWith("+")) return set ? (alternative ?? "") : "";
      return value ?? "";
    },
  );
}

/** Splits at blanks outside quotes; quotes and backslashes are taken away. */
export function words(text: string): string[] {
  const found: string[] = [];
  let current: string | null = null;
  let quote: string | null = null;
  for (let i = 0; i < text.length; i += 1) {
    const c = text[i] ?? "";
    if (quote === null && /\s/.test(c)) {
      if (current !== null) found.push(current);
      current = null;
      continue;
    }
    current ??= "";
    if (c === "\\" && quote !== "'" && i + 1 < text.length)
      current += text[i + 1] === "$" ? "\\$" : (text[i + 1] ?? "");
    else if (quote === null && (c === '"' || c === "'")) quote = c;
    else if (c === quote) quote = null;
    else current += c;
    if (c === "\\" && quote !== "'" && i + 1 < text.length) i += 1;
  }
  if (current !== null) found.push(current);
  return found;
}
