import "server-only";
import bash from "@shikijs/langs/bash";
import json from "@shikijs/langs/json";
import python from "@shikijs/langs/python";
import { createCssVariablesTheme, createHighlighterCoreSync, type HighlighterCore } from "shiki/core";
import { createJavaScriptRegexEngine } from "shiki/engine/javascript";

/** A stretch of code with its one-letter class ("" for plain). Never HTML. */
export type Token = [look: string, text: string];
export type Language = "bash" | "python" | "json";

// A theme of CSS variables gives symbolic colours, which become classes: light and dark come from the style sheet.
const theme = createCssVariablesTheme({ name: "symbolic", variablePrefix: "--tk-", fontStyle: false });
const LOOKS: Record<string, string> = {
  constant: "c",
  string: "s",
  "string-expression": "s",
  comment: "m",
  keyword: "k",
  parameter: "p",
  function: "f",
  punctuation: "u",
  link: "l",
};
const LIMITS = { chars: 20_000, lineLength: 2_000, milliseconds: 100 };

// One highlighter a process: it survives hot reload and the several bundles Next makes of one module.
const shared = globalThis as unknown as { misstepHighlighter?: HighlighterCore };
function highlighter(): HighlighterCore {
  shared.misstepHighlighter ??= createHighlighterCoreSync({
    themes: [theme],
    langs: [bash, python, json],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  });
  return shared.misstepHighlighter;
}

/** Tokens of a piece of code, joined back exactly its text. Very long code stays plain. */
export function highlight(code: string, language: Language): Token[] {
  if (code.length > LIMITS.chars) return [["", code]];
  const { tokens } = highlighter().codeToTokens(code, {
    lang: language,
    theme: "symbolic",
    tokenizeMaxLineLength: LIMITS.lineLength,
    tokenizeTimeLimit: LIMITS.milliseconds,
  });
  const out: Token[] = [];
  const push = (look: string, text: string) => {
    const last = out.at(-1);
    if (last && (last[0] === look || text.trim() === "")) last[1] += text;
    else if (text !== "") out.push([look, text]);
  };
  for (const [n, line] of tokens.entries()) {
    if (n > 0) push("", "\n");
    for (const token of line) {
      const name = /--tk-token-([a-z-]+)/.exec(token.color ?? "")?.[1];
      push(name ? (LOOKS[name] ?? "") : "", token.content);
    }
  }
  // The highlighter evens out line ends; a text it does not give back exactly is shown plain.
  return out.map(([, text]) => text).join("") === code ? out : [["", code]];
}
