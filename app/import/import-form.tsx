"use client";
import { FolderOpen, Upload } from "lucide-react";
import { useRouter } from "next/navigation";
import { useRef, useState } from "react";
import { cn } from "@/components/cn";
import { unreached } from "@/components/data/unreached";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/field";
import type { ImportPreview } from "@/lib/jobs/preview";
import { formatCount } from "@/lib/text/format";
import { previewImportAction, startImportAction } from "./actions";
import { chosenFiles, type DroppedFile, droppedFiles, droppedTitle, upload } from "./dropped";
import { Preview } from "./preview";

type State =
  | { at: "idle" }
  | { at: "busy"; what: string }
  | { at: "preview"; preview: ImportPreview; title?: string | undefined }
  | { at: "error"; message: string };

/** Drop files or name a folder; look at what was detected; start. */
export function ImportForm({ roots }: { roots: string[] }) {
  const router = useRouter();
  const [state, setState] = useState<State>({ at: "idle" });
  const [path, setPath] = useState("");
  const [over, setOver] = useState(false);
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const busy = state.at === "busy";

  const look = async (at: string, title?: string) => {
    setState({ at: "busy", what: "Looking at what is there…" });
    try {
      const result = await previewImportAction({ path: at });
      setState(result.ok ? { at: "preview", preview: result.value, title } : { at: "error", message: result.error });
    } catch (error) {
      setState({ at: "error", message: unreached(error) });
    }
  };
  const send = async (dropped: DroppedFile[]) => {
    if (dropped.length === 0) return;
    setState({ at: "busy", what: `Sending 0 of ${formatCount(dropped.length)} files…` });
    try {
      await look(
        await upload(dropped, (n) =>
          setState({ at: "busy", what: `Sending ${formatCount(n)} of ${formatCount(dropped.length)} files…` }),
        ),
        droppedTitle(dropped),
      );
    } catch (error) {
      setState({ at: "error", message: error instanceof Error ? error.message : String(error) });
    }
  };
  const choose = ({ target }: React.ChangeEvent<HTMLInputElement>) => {
    const chosen = target.files ? chosenFiles(target.files) : [];
    // Else the same file, mended and chosen again, is no change and nothing happens.
    target.value = "";
    void send(chosen);
  };
  const start = async (at: string) => {
    setState({ at: "busy", what: "Queueing the import…" });
    try {
      const result = await startImportAction({ path: at });
      if (result.ok) router.push(`/jobs/${result.value.jobId}`);
      else setState({ at: "error", message: result.error });
    } catch (error) {
      setState({ at: "error", message: unreached(error) });
    }
  };

  return (
    <div className="flex flex-col gap-3">
      <div className="grid gap-3 lg:grid-cols-2">
        <section
          aria-label="Drop files"
          onDragOver={(event) => {
            event.preventDefault();
            setOver(true);
          }}
          onDragLeave={() => setOver(false)}
          onDrop={(event) => {
            event.preventDefault();
            setOver(false);
            void droppedFiles(event.dataTransfer).then(send);
          }}
          className={cn(
            "flex flex-col items-center justify-center gap-3 rounded-lg border-2 border-dashed border-line-strong/60 p-6 text-center",
            over && "border-accent bg-accent-soft",
          )}
        >
          <Upload aria-hidden className="size-6 text-muted" />
          <p>Drop files, folders or archives here</p>
          <div className="flex flex-wrap justify-center gap-2">
            <Button disabled={busy} onClick={() => files.current?.click()}>
              Choose files
            </Button>
            <Button disabled={busy} onClick={() => folder.current?.click()}>
              Choose a folder
            </Button>
          </div>
          <input ref={files} type="file" multiple hidden aria-label="Files to import" onChange={choose} />
          <input
            ref={folder}
            type="file"
            hidden
            aria-label="Folder to import"
            {...{ webkitdirectory: "" }}
            onChange={choose}
          />
        </section>
        <form
          className="flex flex-col gap-2 rounded-lg border bg-surface p-4"
          onSubmit={(event) => {
            event.preventDefault();
            void look(path);
          }}
        >
          <label htmlFor="import-path" className="flex items-center gap-2 font-medium">
            <FolderOpen aria-hidden className="size-4 text-muted" /> A file or folder on this machine
          </label>
          <div className="flex gap-2">
            <Input
              id="import-path"
              value={path}
              onChange={(event) => setPath(event.target.value)}
              placeholder="/home/me/jobs"
              spellCheck={false}
              className="font-mono"
              required
            />
            <Button type="submit" disabled={busy}>
              Preview
            </Button>
          </div>
          <p className="text-sm text-muted">
            This page reads below{" "}
            {roots.map((root, i) => (
              <span key={root}>
                {i > 0 ? ", " : ""}
                <code className="font-mono text-xs">{root}</code>
              </span>
            ))}
            . MISSTEP_IMPORT_ROOTS changes that. Importing the same folder again adds nothing twice.
          </p>
        </form>
      </div>
      <div aria-live="polite">
        {state.at === "busy" ? <p className="text-muted">{state.what}</p> : null}
        {state.at === "error" ? (
          <p role="alert" className="foreign text-bad">
            {state.message}
          </p>
        ) : null}
        {state.at === "preview" ? (
          <Preview preview={state.preview} title={state.title} onStart={() => start(state.preview.path)} />
        ) : null}
      </div>
    </div>
  );
}
