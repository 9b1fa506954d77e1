import { Ban, Check, TriangleAlert } from "lucide-react";
import { Stated } from "@/components/data/stated";
import { Badge } from "@/components/ui/badge";
import type { EnvironmentSpec, Runnable } from "@/lib/environment/types";
import { formatCount, formatDuration } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";

const text = (value: string | null) => (
  <Stated value={value}>{(v) => <span className="foreign">{visible(v)}</span>}</Stated>
);
const seconds = (value: number | null) => <Stated value={value}>{(v) => formatDuration(v * 1000)}</Stated>;
const megabytes = (value: number | null) => <Stated value={value}>{(v) => `${formatCount(v)} MB`}</Stated>;

const pairs = (values: Record<string, string>) =>
  Object.keys(values).length === 0
    ? "none"
    : Object.entries(values).map(([name, value]) => (
        <span key={name} className="foreign block font-mono text-xs break-all">
          {visible(name)}={visible(value)}
        </span>
      ));

/** What the task directory states. */
export function Facts({
  spec,
  directory,
  base,
}: {
  spec: EnvironmentSpec;
  directory: string | null;
  base: string | null;
}) {
  const facts: [string, React.ReactNode][] = [
    ["Base image", text(base)],
    ["Image named", text(spec.dockerImage)],
    ["User", text(spec.user)],
    ["Difficulty", text(spec.difficulty)],
    ["Category", text(spec.category)],
    ["Tags", spec.tags.length === 0 ? "none" : text(spec.tags.join(", "))],
    ["Time for the agent", seconds(spec.agentTimeoutSec)],
    ["Time for the tests", seconds(spec.verifierTimeoutSec)],
    ["Time to build", seconds(spec.buildTimeoutSec)],
    ["Memory", megabytes(spec.memoryMb)],
    ["Disk", megabytes(spec.storageMb)],
    ["Internet", spec.allowInternet ? "allowed by the task" : "not asked for"],
    ["Variables", pairs(spec.env)],
    ["Variables of the tests", pairs(spec.verifierEnv)],
    ["Schema", text(spec.schemaVersion)],
    ["Imported from", text(directory)],
    [
      "Digest",
      <code key="digest" className="font-mono text-xs break-all">
        {spec.digest}
      </code>,
    ],
  ];
  return (
    <dl className="grid grid-cols-[minmax(7rem,auto)_minmax(0,1fr)] gap-x-3 gap-y-1 rounded-lg border bg-surface p-3 text-sm">
      {facts.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-muted">{name}</dt>
          <dd className="min-w-0 break-words">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Each driver: whether it can run the environment here, and every reason. */
export function Drivers({
  runnable,
  built,
  problem,
}: {
  runnable: Runnable[];
  /** Notes of the built layer; null: not built yet. */
  built: string[] | null;
  problem: string | null;
}) {
  return (
    <section aria-label="Where it runs" className="flex flex-col gap-2 rounded-lg border bg-surface p-3 text-sm">
      <h2 className="font-medium">Where it runs</h2>
      {problem ? <p className="foreign text-warn">Not known now: {problem}</p> : null}
      {runnable.map((r) => (
        <div key={r.driver} className="flex flex-col gap-0.5">
          <Badge tone={r.ok ? "good" : "neutral"} className="self-start">
            {r.ok ? <Check aria-hidden /> : <Ban aria-hidden />} {r.driver} {r.ok ? "can run it" : "cannot run it"}
          </Badge>
          <ul className="ml-4 list-disc text-xs text-muted">
            {r.reasons.map((reason) => (
              <li key={reason} className="foreign">
                {visible(reason)}
              </li>
            ))}
          </ul>
        </div>
      ))}
      <p className="text-xs text-muted">
        {built === null ? "Not built yet: the first start builds it." : "Built; it starts at once."}
      </p>
      {built && built.length > 0 ? (
        <ul aria-label="Notes of the build" className="ml-4 list-disc text-xs text-muted">
          {built.map((note) => (
            <li key={note} className="foreign">
              {visible(note)}
            </li>
          ))}
        </ul>
      ) : null}
    </section>
  );
}

/** Replaced base images and things in the directory that Misstep does not do. */
export function Notices({ spec }: { spec: EnvironmentSpec }) {
  const replaced = Object.entries(spec.substitutions);
  if (replaced.length === 0 && spec.warnings.length === 0) return null;
  return (
    <ul className="flex flex-col gap-1 rounded-lg border border-warn/40 bg-warn-soft px-3 py-2 text-sm">
      {replaced.map(([image, by]) => (
        <li key={image} className="foreign">
          <TriangleAlert aria-hidden className="mr-1 inline size-4 text-warn" />
          Base image {visible(image)} is replaced by {by === "base" ? "the base (a small Debian 12)" : visible(by)}.
        </li>
      ))}
      {spec.warnings.map((warning) => (
        <li key={warning} className="foreign">
          <TriangleAlert aria-hidden className="mr-1 inline size-4 text-warn" />
          {visible(warning)}
        </li>
      ))}
    </ul>
  );
}
