import fs from "node:fs";
import path from "node:path";
import { Check, CircleAlert, CircleMinus, CircleX } from "lucide-react";
import type { Metadata } from "next";
import { Page } from "@/components/shell/page";
import { TableFrame, Td, Th } from "@/components/ui/table";
import { getDb } from "@/db/client";
import { home } from "@/db/home";
import { doctor } from "@/lib/jobs/doctor";
import { importRoots } from "@/lib/jobs/roots";
import { RULES_VERSION } from "@/lib/profile/rules";
import { formatBytes, formatTime } from "@/lib/text/format";
import { BackupButton, RescanButton } from "./buttons";
import { Clusters } from "./clusters/section";
import { Models } from "./models/section";
import { People } from "./people/section";
import { Sandboxes } from "./sandboxes";

export const metadata: Metadata = { title: "Settings" };
export const dynamic = "force-dynamic";

const LEVEL = {
  ok: { icon: Check, className: "text-good", text: "works" },
  warn: { icon: CircleAlert, className: "text-warn", text: "look at this" },
  fail: { icon: CircleX, className: "text-bad", text: "does not work" },
  off: { icon: CircleMinus, className: "text-muted", text: "not here" },
};

function backups() {
  const folder = home().backups;
  return fs
    .readdirSync(folder)
    .filter((name) => name.endsWith(".db"))
    .map((name) => ({ name, ...pick(fs.statSync(path.join(folder, name))) }))
    .sort((a, b) => b.modified - a.modified);
}

const pick = (stat: fs.Stats) => ({ size: stat.size, modified: stat.mtimeMs });

export default function SettingsPage() {
  const place = home();
  const checks = doctor(getDb());
  const files = backups();
  return (
    <Page title="Settings" note="What this installation has, where it keeps it, and whether it works.">
      <section className="flex flex-col gap-2">
        <h2 className="font-medium">Health</h2>
        <TableFrame label="Health">
          <thead>
            <tr>
              <Th>What</Th>
              <Th>State</Th>
              <Th>Detail</Th>
            </tr>
          </thead>
          <tbody>
            {checks.map((check) => {
              const { icon: Icon, className, text } = LEVEL[check.level];
              return (
                <tr key={check.name}>
                  <Td>{check.name}</Td>
                  <Td className={className}>
                    <span className="flex items-center gap-1.5 whitespace-nowrap">
                      <Icon aria-hidden className="size-4" /> {text}
                    </span>
                  </Td>
                  <Td className="foreign">
                    {check.detail}
                    {check.fix ? <span className="block text-muted">{check.fix}</span> : null}
                  </Td>
                </tr>
              );
            })}
          </tbody>
        </TableFrame>
      </section>

      <People />

      <Models db={getDb()} />

      <Clusters />

      <Sandboxes />

      <div className="grid items-start gap-4 lg:grid-cols-2">
        <section className="flex flex-col gap-2 rounded-lg border bg-surface p-4">
          <h2 className="font-medium">Data</h2>
          <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm">
            <dt className="text-muted">Home</dt>
            <dd className="foreign font-mono text-xs">{place.root}</dd>
            <dt className="text-muted">Index</dt>
            <dd>{fs.existsSync(place.database) ? formatBytes(fs.statSync(place.database).size) : "not made yet"}</dd>
            <dt className="text-muted">This page reads</dt>
            <dd className="foreign font-mono text-xs">{importRoots().join(", ")}</dd>
          </dl>
          <p className="text-sm text-muted">
            MISSTEP_HOME chooses the home folder, MISSTEP_IMPORT_ROOTS the folders the import page may read. Both are
            read at start.
          </p>
        </section>

        <section className="flex flex-col gap-2 rounded-lg border bg-surface p-4">
          <h2 className="font-medium">Rule localizer</h2>
          <p className="text-sm">
            Version {RULES_VERSION}, eight detectors. They run at import; a new version scans everything again by
            itself. Labels of people stay.
          </p>
          <RescanButton />
        </section>
      </div>

      <section className="flex flex-col gap-2">
        <div className="flex flex-wrap items-center gap-3">
          <h2 className="font-medium">Backups</h2>
          <BackupButton />
        </div>
        {files.length === 0 ? (
          <p className="text-sm text-muted">No backup yet.</p>
        ) : (
          <TableFrame label="Backups">
            <thead>
              <tr>
                <Th>File</Th>
                <Th className="text-right">Size</Th>
                <Th>Made</Th>
              </tr>
            </thead>
            <tbody>
              {files.map((file) => (
                <tr key={file.name}>
                  <Td className="foreign font-mono text-xs">{path.join(place.backups, file.name)}</Td>
                  <Td className="text-right">{formatBytes(file.size)}</Td>
                  <Td className="whitespace-nowrap text-muted">{formatTime(file.modified)} UTC</Td>
                </tr>
              ))}
            </tbody>
          </TableFrame>
        )}
        <p className="text-sm text-muted">
          To restore one, stop Misstep and run{" "}
          <code className="font-mono text-xs">npm run -s misstep -- restore FILE</code>. The index that was there is
          kept.
        </p>
      </section>
    </Page>
  );
}
