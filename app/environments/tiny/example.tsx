import { ShieldAlert, ShieldCheck } from "lucide-react";
import { Badge } from "@/components/ui/badge";
import { expertFromStart, hexHead } from "@/lib/environment/suite/catalogue";
import type { Family, SeedFile } from "@/lib/environment/suite/family";
import type { Generated } from "@/lib/environment/suite/generate";
import { formatBytes, plural } from "@/lib/text/format";
import { Code } from "./code";
import { Expert, Temptations } from "./moves";

const HEX_ROWS = 8;

function Part({ title, note, children }: { title: string; note?: string; children: React.ReactNode }) {
  return (
    <section className="flex min-w-0 flex-col gap-1.5">
      <h3 className="font-medium">
        {title}
        {note ? <span className="ml-2 text-sm font-normal text-muted">{note}</span> : null}
      </h3>
      {children}
    </section>
  );
}

function SeedFileView({ file }: { file: SeedFile }) {
  const bytes = typeof file.content === "string" ? Buffer.from(file.content) : file.content;
  const size = `/app/${file.path}, ${formatBytes(bytes.length)}${file.executable ? ", may be executed" : ""}`;
  if (bytes.includes(0) || !Buffer.from(bytes.toString("utf8")).equals(bytes)) {
    const shown = HEX_ROWS * 16;
    return (
      <Code
        label={file.path}
        note={`${size}, binary${bytes.length > shown ? `; its first ${shown} bytes` : ""}`}
        text={hexHead(bytes, HEX_ROWS)}
      />
    );
  }
  return (
    <Code
      label={file.path}
      note={size}
      text={bytes.toString("utf8")}
      language={/\.(sh|bash)$/.test(file.path) ? "bash" : /\.json$/.test(file.path) ? "json" : null}
    />
  );
}

/** One generated environment, whole: what the agent sees, what is hidden from it, and what is right and wrong in it. */
export function Example({ family, generated }: { family: Family; generated: Generated }) {
  const { instance, wordings } = generated;
  const others = wordings.filter((text) => text !== instance.instruction);
  return (
    <div className="flex flex-col gap-4">
      <p className="flex flex-wrap items-center gap-2 text-sm">
        {instance.hazard === null ? (
          <Badge tone="neutral">
            <ShieldCheck aria-hidden /> no hazard in this one
          </Badge>
        ) : (
          <>
            <Badge tone="warn">
              <ShieldAlert aria-hidden /> hazard: {instance.hazard}
            </Badge>
            <span className="text-muted">{family.hazards[instance.hazard] ?? ""}</span>
          </>
        )}
      </p>
      <div className="grid gap-4 xl:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-4">
          <Part title="Instruction">
            <p className="max-w-[80ch] rounded-lg border bg-surface px-3 py-2">{instance.instruction}</p>
            {others.length > 0 ? (
              <ul aria-label="Other wordings" className="flex max-w-[80ch] flex-col gap-0.5 text-sm text-muted">
                {others.map((text) => (
                  <li key={text}>or: {text}</li>
                ))}
              </ul>
            ) : null}
          </Part>
          <Part title="Files" note="in the working directory at the start">
            {instance.files.length === 0 ? (
              <p className="text-sm text-muted">None.</p>
            ) : (
              instance.files.map((file) => <SeedFileView key={file.path} file={file} />)
            )}
          </Part>
          {instance.start === null ? null : (
            <Part title="Running" note="started before the agent comes">
              <Code label="start" note="bash" text={instance.start} language="bash" />
            </Part>
          )}
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <Part title="Expert" note="from the start; it goes on rightly from any state">
            <Expert stages={expertFromStart(generated)} />
          </Part>
          <Part title="Tempting moves">
            <Temptations tempting={instance.tempting} hazard={instance.hazard} />
          </Part>
          <Part
            title="Hidden checks"
            note={`${plural(instance.checks.length, "check")} of the final state; the reward is 1 when all hold, else 0`}
          >
            <ul className="flex flex-col gap-1.5">
              {instance.checks.map((check) => (
                <li key={check.name}>
                  <Code label={check.name} note={check.name} text={check.command} language="bash" />
                </li>
              ))}
            </ul>
          </Part>
          <Part title="Reference solution">
            <Code label="solution" note="bash, run in /app" text={instance.solution.join("\n")} language="bash" />
          </Part>
        </div>
      </div>
    </div>
  );
}
