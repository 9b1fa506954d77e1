/**
 * Of ascending values those whose labels fit beside each other, the first and the last among them. `at`: place of a value in
 * pixels; `label`: what is written there.
 */
export function spacedTicks(
  values: readonly number[],
  at: (value: number) => number,
  label: (value: number) => string,
) {
  const half = (value: number) => 3.5 * label(value).length + 4;
  const apart = (a: number, b: number) => at(b) - at(a) >= half(a) + half(b);
  const last = values.at(-1);
  const kept: number[] = [];
  for (const value of values) {
    const before = kept.at(-1);
    const fits = before === undefined || apart(before, value);
    const leaves = value === last || last === undefined || before === undefined || apart(value, last);
    if (value === last || (fits && leaves)) kept.push(value);
  }
  return kept;
}
