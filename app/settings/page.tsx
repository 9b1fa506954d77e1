import fs from "node:fs";
import path from "node:path";
import type { Metadata } from "next";
import Link from "next/link";
import { Suspense } from "react";
import { Page } from "@/components/shell/page";
import { TableFrame, Td, Th } from "@/components/ui/table";
import { getDb } from "@/db/client";
import { home } from "@/db/home";
import { importRoots } from "@/lib/jobs/roots";
import { RULES_VERSION } from "@/lib/profile/rules";
import { formatBytes, formatTime } from "@/lib/text/format";
import { BackupButton, RescanButton } from "./buttons";
import { Clusters } from "./clusters/section";
import { Health } from "./health";
import { Models } from "./models/section";
import { People } from "./people/section";
import { Sandboxes } from "./sandboxes";

export const metadata: Metadata = { title: "Settings" };
export const dynamic = "force-dynamic";

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
  const files = backups();
  return (
    <Page
      title="Settings"
      note="What this installation has, where it keeps it, and whether it works."
      actions={
        <Link href="/api-docs" className="text-sm text-accent underline">
          HTTP API
        </Link>
      }
    >
      <section className="flex flex-col gap-2">
        <h2 className="font-medium">Health</h2>
        <Suspense fallback={<p className="min-h-44 text-sm text-muted">Looking at the index and the machine…</p>}>
          <Health />
        </Suspense>
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
