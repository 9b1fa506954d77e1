import { SettingsList } from "@/components/data/settings-list";
import { formatCount } from "@/lib/text/format";

const words = (name: string): string => name.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();

function text(value: unknown): string {
  if (value === null) return "by default";
  if (Array.isArray(value)) return value.length === 0 ? "all" : value.map(text).join(", ");
  if (typeof value === "object")
    return Object.entries(value as Record<string, unknown>)
      .filter(([, item]) => !(typeof item === "object" && item !== null && Object.keys(item).length === 0))
      .map(([key, item]) => (key === "kind" || key === "use" ? text(item) : `${words(key)} ${text(item)}`))
      .join(", ");
  return String(value);
}

/** The plan is a list of ids: said by its length. */
function shown(name: string, value: unknown): string {
  if (name !== "plan") return text(value);
  const { kind, ids } = value as { kind: string; ids: number[] };
  const { candidates, found } = value as { candidates?: number; found?: boolean };
  if (kind === "pivot")
    return found
      ? `${formatCount(ids.length)} pivots of ${formatCount(candidates ?? 0)} candidates`
      : `${formatCount(ids.length)} candidates, of which the pivots are still to be found`;
  return `${formatCount(ids.length)} ${kind === "prefix" ? "prefixes" : "environments"}, fixed when it was queued`;
}

/** What the training was made with. */
export const Settings = ({ settings }: { settings: unknown }) => <SettingsList settings={settings} text={shown} />;
