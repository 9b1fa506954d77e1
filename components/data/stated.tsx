import { UNKNOWN, UNKNOWN_TITLE } from "@/lib/text/format";

/** Shows a value, or a dash that says why there is none: the file does not state it, or `why`. Zero and "" are values. */
export function Stated<T>({
  value,
  why = UNKNOWN_TITLE,
  children,
}: {
  value: T | null;
  why?: string;
  children: (value: T) => React.ReactNode;
}) {
  if (value === null)
    return (
      <span className="text-muted" title={why}>
        {UNKNOWN}
        <span className="sr-only">{why}</span>
      </span>
    );
  return children(value);
}
