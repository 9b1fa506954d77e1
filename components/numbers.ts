/** Numbers and times as pages print them. All pure; the same on server and client. */

const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

/** 12,746 */
export const count = (n: number): string => whole.format(n);

/** Share of a whole in percent with one decimal; null when there is no whole. */
export const share = (part: number, whole: number): number | null => (whole > 0 ? (100 * part) / whole : null);

/** "15.4%", "—" for no value. */
export const percent = (value: number | null): string => (value === null ? "—" : `${value.toFixed(1)}%`);

/** 12.3 kB, 4.5 MB. */
export function bytes(n: number): string {
  if (n < 1000) return `${n} B`;
  const units = ["kB", "MB", "GB", "TB"];
  let value = n / 1000;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${value.toFixed(1)} ${units[unit]}`;
}

/** "2026-11-29 15:05 UTC" */
export const utc = (ms: number): string => `${new Date(ms).toISOString().slice(0, 16).replace("T", " ")} UTC`;

/** "1 h 02 min", "3 min 20 s", "4.2 s", "310 ms" */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return `${minutes} min ${String(Math.floor((ms % 60_000) / 1000)).padStart(2, "0")} s`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, "0")} min`;
}
