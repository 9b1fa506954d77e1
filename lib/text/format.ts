/** Shown for a value the file does not state. */
export const UNKNOWN = "—";
export const UNKNOWN_TITLE = "not stated in the file";

const count = new Intl.NumberFormat("en-US");

/** 12345 as "12,345". */
export const formatCount = (n: number): string => count.format(n);

/** Tokens and characters in three digits: 950, 12.3k, 4.56M. */
export function formatShort(n: number): string {
  const units: [number, string][] = [
    [1e9, "G"],
    [1e6, "M"],
    [1e3, "k"],
  ];
  for (const [size, unit] of units) {
    if (Math.abs(n) < size * 0.9995) continue;
    const value = n / size;
    return `${value.toFixed(value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2)}${unit}`;
  }
  return String(Math.round(n * 100) / 100);
}

/** Milliseconds as "340 ms", "4.2 s", "3 min 05 s", "2 h 07 min". */
export function formatDuration(ms: number): string {
  if (ms < 0) return `−${formatDuration(-ms)}`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(ms < 9_950 ? 1 : 0)} s`;
  const seconds = Math.round(ms / 1000);
  const two = (n: number) => String(n).padStart(2, "0");
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${two(seconds % 60)} s`;
  const minutes = Math.round(seconds / 60);
  return `${Math.floor(minutes / 60)} h ${two(minutes % 60)} min`;
}

/** US dollars; small amounts keep two significant digits. */
export function formatCost(usd: number): string {
  if (usd === 0) return "$0";
  const small = Math.abs(usd) < 0.1;
  return `$${small ? usd.toPrecision(2).replace(/0+$/, "") : usd.toFixed(2)}`;
}

/** UTC epoch ms as "2026-03-09 14:05". The same on server and client. */
export function formatTime(ms: number, seconds = false): string {
  const date = new Date(ms);
  if (Number.isNaN(date.getTime())) return UNKNOWN;
  return date
    .toISOString()
    .slice(0, seconds ? 19 : 16)
    .replace("T", " ");
}

/** A reward without noise: 1, 0.25, -1. */
export const formatReward = (value: number): string => String(Math.round(value * 1e4) / 1e4);

/** A mean of rewards, as it stands in a column of them: always three decimals. */
export const formatMeanReward = (value: number): string => value.toFixed(3);

/** "1 step", "2 steps". */
export const plural = (n: number, one: string, many = `${one}s`): string => `${formatCount(n)} ${n === 1 ? one : many}`;

/** Sizes: 12.3 kB, 4.5 MB. */
export function formatBytes(n: number): string {
  if (n < 1000) return `${n} B`;
  const units = ["kB", "MB", "GB", "TB"];
  let value = n / 1000;
  let unit = 0;
  while (value >= 999.95 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${value.toFixed(1)} ${units[unit]}`;
}

/** Share of a whole in percent, as a number; null when there is no whole. */
export const sharePercent = (part: number, of: number): number | null => (of > 0 ? (100 * part) / of : null);

/** Percent with one decimal, 0% and 100% only where they are exact; UNKNOWN for null. */
export function formatPercent(percent: number | null): string {
  if (percent === null) return UNKNOWN;
  if (percent === 0 || percent === 100) return `${percent}%`;
  if (percent < 0.05) return "<0.1%";
  return `${(percent < 100 ? Math.min(percent, 99.9) : percent).toFixed(1)}%`;
}

/** Share of a whole: 2 of 13 as "15.4%". */
export const formatShare = (part: number, of: number): string => formatPercent(sharePercent(part, of));

/** Error steps per 100 steps with two decimals, "0" for none; UNKNOWN without steps. */
export function formatRate(part: number, steps: number): string {
  const rate = sharePercent(part, steps);
  return rate === null ? UNKNOWN : rate === 0 ? "0" : rate < 0.005 ? "<0.01" : rate.toFixed(2);
}

/** Billionths of a currency: "$0.0042", "12.30 CNY"; small amounts keep two significant digits. */
export function formatMoney(nano: number, currency: string): string {
  const amount = formatCost(nano / 1e9);
  return currency === "USD" ? amount : `${amount.slice(1)} ${currency}`;
}
