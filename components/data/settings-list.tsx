import { visible } from "@/lib/text/glyphs";

const words = (name: string): string => name.replace(/([A-Z])/g, " $1").toLowerCase();

/** Stored settings as names and values; `text` says a value in words. */
export function SettingsList({
  settings,
  text,
}: {
  settings: unknown;
  text: (name: string, value: unknown) => string;
}) {
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
