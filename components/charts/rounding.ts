/**
 * Whether all that is known of these values is zero to rounding: below `limit` in size. Then what is left of them is the
 * noise of floating point, which an axis of its own would blow up to a curve. Nothing known: no.
 */
export function isZeroToRounding(values: readonly (number | null | undefined)[], limit: number): boolean {
  const known = values.filter((value): value is number => typeof value === "number");
  return known.length > 0 && known.every((value) => Math.abs(value) < limit);
}
