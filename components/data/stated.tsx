import { UNKNOWN, UNKNOWN_TITLE } from "@/lib/text/format";

/** Shows a value, or a dash that says the file does not state it. Zero and "" are values. */
export function Stated<T>({ value, children }: { value: T | null; children: (value: T) => React.ReactNode }) {
  if (value === null)
    return (
      <span className="text-muted" title={UNKNOWN_TITLE}>
        {UNKNOWN}
        <span className="sr-only">{UNKNOWN_TITLE}</span>
      </span>
    );
  return children(value);
}
