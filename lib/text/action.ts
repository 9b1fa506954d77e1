/**
 * Where a message repeats the step's command inside a code fence, so that a reader can show the command once.
 * Null when it does not. The range covers the fence lines too.
 */
export function actionRange(message: string | null, command: string | null): [start: number, end: number] | null {
  if (!message || !command) return null;
  const wanted = command.trim();
  if (wanted === "") return null;
  for (const match of message.matchAll(/^```[^\n`]*\n([\s\S]*?)\n?```[ \t]*$/gm)) {
    if (match[1]?.trim() === wanted) return [match.index, match.index + match[0].length];
  }
  return null;
}
