import { visible } from "@/lib/text/glyphs";

/** A role as the settings name it: what is used, with its options. */
function roleText(value: unknown): string {
  if (value === null) return "nobody";
  if (typeof value !== "object" || !("use" in value)) return JSON.stringify(value);
  const { use, options } = value as { use: string; options?: Record<string, unknown> };
  const more = Object.entries(options ?? {}).map(([name, option]) => `${name} ${String(option)}`);
  return [use, ...more].join(", ");
}

function text(name: string, value: unknown): string {
  if (name === "policy" || name === "localizer" || name === "teacher") return roleText(value);
  if (name === "alongside" && Array.isArray(value)) return value.map(roleText).join("; ") || "nobody";
  if (name === "formatErrorsInARow" && value === null) return "no limit";
  if (name === "preset" && value === null) return "none";
  if (value === null) return "by default";
  if (typeof value === "object")
    return Object.entries(value as Record<string, unknown>)
      .map(([key, item]) => `${key} ${Array.isArray(item) ? `(${item.length})` : String(item)}`)
      .join(", ");
  return String(value);
}

const words = (name: string): string => name.replace(/([a-zA-Z])(?=[A-Z])/g, "$1 ").toLowerCase();

/** What the profile was made with. */
export function Settings({ settings }: { settings: unknown }) {
  const entries = typeof settings === "object" && settings !== null ? Object.entries(settings) : [];
  return (
    <section className="flex flex-col gap-1">
      <h2 className="font-medium">Settings</h2>
      <dl className="grid grid-cols-[minmax(6rem,auto)_minmax(0,1fr)] gap-x-3 gap-y-0.5 rounded-lg border bg-surface p-3 text-sm">
        {entries.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-muted">{words(name)}</dt>
            <dd className="foreign min-w-0">{visible(text(name, value))}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
