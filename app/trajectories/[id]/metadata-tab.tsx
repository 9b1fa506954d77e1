import { Stated } from "@/components/data/stated";
import { ForeignText } from "@/components/reader/foreign-text";
import type { TrajectoryDetail } from "@/db/codec";
import type { TrajectoryHead } from "@/db/queries/reader-head";
import { formatCost, formatCount, formatReward, formatTime } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";
import type { Instant } from "@/lib/trajectory/types";

const count = (n: number | null) => <Stated value={n}>{formatCount}</Stated>;
const text = (value: string | null) => (
  <Stated value={value}>{(v) => <span className="foreign">{visible(v)}</span>}</Stated>
);
const instant = (value: Instant | null | undefined) => (
  <Stated value={value ?? null}>
    {(v) => (
      <span className="foreign">
        {v.ms === null ? "unreadable" : `${formatTime(v.ms, true)} UTC`}
        <span className="ml-2 text-muted">
          {visible(String(v.raw))} in the file{v.zoned ? "" : ", without zone: read as UTC"}
        </span>
      </span>
    )}
  </Stated>
);

/** Everything the file says beside its steps. */
export function MetadataTab({ head, detail }: { head: TrajectoryHead; detail: TrajectoryDetail | undefined }) {
  const usage = detail?.usage;
  const facts: [string, React.ReactNode][] = [
    ["Name", text(head.name)],
    ["Source", text(head.sourceKey)],
    ["Format", text(head.formatVersion ? `${head.format} ${head.formatVersion}` : head.format)],
    ["Task", text(head.task)],
    ["Data set", text(detail?.dataset ?? null)],
    ["Model", text(head.model)],
    ["Agent", text([head.agent, detail?.agentVersion].filter(Boolean).join(" ") || null)],
    ["Attempt", count(head.attempt)],
    ["Outcome", head.outcome],
    [
      "Reward",
      <Stated key="reward" value={head.reward}>
        {formatReward}
      </Stated>,
    ],
    ["All rewards", rewards(detail?.rewards ?? {})],
    ["Exit status", text(head.exitStatus)],
    ["Started", instant(detail?.startedAt)],
    ["Finished", instant(detail?.finishedAt)],
    ["Prompt tokens", count(usage?.promptTokens ?? null)],
    ["of them cached", count(usage?.cachedTokens ?? null)],
    ["Completion tokens", count(usage?.completionTokens ?? null)],
    ["of them reasoning", count(usage?.reasoningTokens ?? null)],
    [
      "Cost",
      <Stated key="cost" value={usage?.costUsd ?? null}>
        {formatCost}
      </Stated>,
    ],
    ["Entries", count(head.entries)],
    ["Rules that scanned it", text(head.rulesVersion)],
    ["Imported", `${formatTime(head.createdAt, true)} UTC`],
  ];
  return (
    <div className="h-full overflow-y-auto">
      <div className="mx-auto flex max-w-5xl flex-col gap-6 p-3 sm:p-4">
        <dl className="grid grid-cols-[minmax(7rem,auto)_1fr] gap-x-4 gap-y-1 text-sm">
          {facts.map(([label, value]) => (
            <div key={label} className="contents">
              <dt className="text-muted">{label}</dt>
              <dd className="min-w-0">{value}</dd>
            </div>
          ))}
        </dl>
        {detail?.exception ? (
          <Part title="Exception">
            <p className="foreign text-sm whitespace-pre-wrap">
              {visible(detail.exception.type)}
              {detail.exception.message === null ? "" : `: ${visible(detail.exception.message)}`}
            </p>
            {detail.exception.traceback === null ? null : (
              <ForeignText label="traceback" terminal json={JSON.stringify(detail.exception.traceback)} />
            )}
          </Part>
        ) : null}
        {detail && detail.warnings.length > 0 ? (
          <Part title="Warnings from import" id="warnings">
            <ul className="flex flex-col gap-1 text-sm">
              {detail.warnings.map((warning) => (
                <li key={`${warning.path} ${warning.message}`} className="foreign">
                  <code className="mr-2 font-mono text-xs text-muted">{visible(warning.path)}</code>
                  {visible(warning.message)}
                </li>
              ))}
            </ul>
          </Part>
        ) : null}
        <Part title="The file's own metadata">
          <ForeignText label="metadata" json={JSON.stringify(JSON.stringify(detail?.source ?? {}, null, 2))} />
        </Part>
      </div>
    </div>
  );
}

function rewards(values: Record<string, number>): React.ReactNode {
  const entries = Object.entries(values);
  if (entries.length === 0) return <Stated value={null}>{() => null}</Stated>;
  return (
    <span className="foreign">
      {entries.map(([name, value]) => `${visible(name)} = ${formatReward(value)}`).join(", ")}
    </span>
  );
}

function Part({ title, id, children }: { title: string; id?: string; children: React.ReactNode }) {
  return (
    <section id={id} className="flex flex-col gap-1.5">
      <h2 className="font-semibold">{title}</h2>
      {children}
    </section>
  );
}
