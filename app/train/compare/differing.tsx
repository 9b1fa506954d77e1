import Link from "next/link";
import { TableFrame, Td, Th } from "@/components/ui/table";
import type { TrainingRow } from "@/db/queries/trainings";
import { formatCount, UNKNOWN } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";
import { leavesOf } from "@/lib/train/differences";
import { FIELDS } from "@/lib/train/fields";

const labelOf = (path: string): string =>
  FIELDS.find((f) => path === f.path || path.startsWith(`${f.path}.`))?.label ?? path;

function said(value: unknown): string {
  if (value === undefined) return UNKNOWN;
  if (value === null) return "by default";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Settings by path; of the plan only how many starts it has. */
function settingsOf({ settings, base }: TrainingRow): Map<string, unknown> {
  const { plan, ...rest } = settings as { plan?: { ids?: unknown[] } };
  const leaves = leavesOf(rest);
  leaves.set("base", base);
  leaves.set("starts", plan?.ids?.length);
  return leaves;
}

/** The settings that are not the same in all of these trainings. */
export function Differing({ trainings }: { trainings: TrainingRow[] }) {
  const all = trainings.map(settingsOf);
  const paths = [...new Set(all.flatMap((leaves) => [...leaves.keys()]))].filter(
    (path) => new Set(all.map((leaves) => JSON.stringify(leaves.get(path)))).size > 1,
  );
  return (
    <section aria-labelledby="differing" className="flex min-w-0 flex-col gap-1.5">
      <h2 id="differing" className="font-medium">
        Settings that differ
      </h2>
      {paths.length === 0 ? (
        <p className="text-sm text-muted">
          {trainings.length < 2
            ? "One training differs from nothing."
            : "None: the same settings give the same weights."}
        </p>
      ) : (
        <TableFrame label="Settings that differ">
          <thead>
            <tr>
              <Th>Setting</Th>
              {trainings.map((t) => (
                <Th key={t.id}>
                  <Link href={`/train/${t.id}`} prefetch={false} className="foreign text-accent hover:underline">
                    {visible(t.name)}
                  </Link>
                </Th>
              ))}
            </tr>
          </thead>
          <tbody>
            {paths.map((path) => (
              <tr key={path}>
                <Td className="min-w-40">
                  {path === "starts" ? "Starts" : labelOf(path)} <span className="text-xs text-muted">{path}</span>
                </Td>
                {all.map((leaves, k) => {
                  const value = leaves.get(path);
                  return (
                    <Td key={trainings[k]?.id} className="foreign">
                      {typeof value === "number" && Number.isInteger(value) ? formatCount(value) : visible(said(value))}
                    </Td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </TableFrame>
      )}
    </section>
  );
}
