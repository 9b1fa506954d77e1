/** A number as an exact decimal: `digits` / 10^`scale`. */
export interface Decimal {
  digits: bigint;
  scale: number;
}

/**
 * The decimal that a person wrote for this number: the shortest text that means the same double. 0.066 is 66/1000, not
 * the binary fraction next to it. For finite numbers that are not negative.
 */
export function decimal(value: number): Decimal {
  const match = /^(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value));
  if (!match) throw new RangeError(`${value} is no amount`);
  const fraction = match[2] ?? "";
  const scale = fraction.length - Number(match[3] ?? 0);
  const digits = BigInt(`${match[1]}${fraction}`);
  return scale >= 0 ? { digits, scale } : { digits: digits * 10n ** BigInt(-scale), scale: 0 };
}

/** a / b, rounded half up; for a >= 0 and b > 0. */
export const roundedDivide = (a: bigint, b: bigint): bigint => (2n * a + b) / (2n * b);
