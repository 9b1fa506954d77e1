/** A name in at most two lines of `most` characters, broken at spaces and after hyphens; what does not fit ends in an ellipsis. */
export function nameLines(name: string, most: number): string[] {
  const cut = (text: string) => {
    const letters = [...text];
    return letters.length <= most ? text : `${letters.slice(0, Math.max(1, most - 1)).join("")}…`;
  };
  const parts = name.split(/(?<=[ -])/);
  const joined = (from: number, to?: number) => parts.slice(from, to).join("").trim();
  let taken = 0;
  while (taken < parts.length && [...joined(0, taken + 1)].length <= most) taken++;
  if (taken === parts.length) return [name];
  taken = Math.max(1, taken);
  const rest = joined(taken);
  const first = cut(joined(0, taken));
  return rest === "" ? [first] : [first, cut(rest)];
}
