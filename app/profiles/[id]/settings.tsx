import { SettingsList } from "@/components/data/settings-list";

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

/** What the profile was made with. */
export const Settings = ({ settings }: { settings: unknown }) => <SettingsList settings={settings} text={text} />;
