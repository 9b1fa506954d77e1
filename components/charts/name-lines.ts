/**
 * A name in at most two lines of `most` characters, broken at spaces and after hyphens. A second line that does not fit loses its
 * middle: seed and step, which tell checkpoints apart, are at the end of a name.
 */
export function nameLines(name: string, most: number): string[] {
  const cut = (text: string) => {
    const letters = [...text];
    return letters.length <= most ? text : `${letters.slice(0, Math.max(1, most - 1)).join("")}…`;
  };
  const shortened = (text: string) => {
    const letters = [...text];
    if (letters.length <= most || most < 4) return cut(text);
    const end = Math.ceil(((most - 1) * 3) / 4);
    return `${letters.slice(0, most - 1 - end).join("")}…${letters.slice(-end).join("")}`;
  };
  const parts = name.split(/(?<=[ -])/);
  const joined = (from: number, to?: number) => parts.slice(from, to).join("").trim();
  let taken = 0;
  while (taken < parts.length && [...joined(0, taken + 1)].length <= most) taken++;
  if (taken === parts.length) return [name];
  taken = Math.max(1, taken);
  const rest = joined(taken);
  const first = cut(joined(0, taken));
  return rest === "" ? [first] : [first, shortened(rest)];
}
