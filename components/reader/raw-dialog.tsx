"use client";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { Dialog, DialogContent } from "@/components/ui/dialog";
import { plainLines } from "@/lib/text/glyphs";
import { CopyButton } from "./copy-button";
import { fetchRaw, keys } from "./fetching";
import { Lines } from "./lines";

/** The file's own objects of an entry, as JSON. */
export function RawDialog({
  trajectoryId,
  entry,
  onClose,
}: {
  trajectoryId: number;
  entry: number | null;
  onClose: () => void;
}) {
  const raw = useQuery({
    queryKey: keys.raw(trajectoryId, entry ?? 0),
    queryFn: () => fetchRaw(trajectoryId, entry ?? 0),
    enabled: entry !== null,
  });
  const text = useMemo(() => {
    const source = raw.data?.source;
    if (!source) return null;
    return source.map((value) => JSON.stringify(value, null, 2)).join("\n");
  }, [raw.data]);
  const lines = useMemo(() => (text === null ? [] : plainLines(text)), [text]);
  return (
    <Dialog open={entry !== null} onOpenChange={(open) => (open ? undefined : onClose())}>
      <DialogContent
        wide
        title={`Entry ${entry ?? ""} as in the file`}
        description="The same JSON values; only the white space between them is ours."
      >
        {raw.isError ? (
          <p role="alert" className="text-bad">
            {raw.error.message}
          </p>
        ) : text === null ? (
          <p className="text-muted">Fetching…</p>
        ) : text === "" ? (
          <p className="text-muted">This entry was recorded by Misstep itself; there is no file it came from.</p>
        ) : (
          <>
            <div className="mb-2 flex items-center gap-2 text-xs text-muted">
              <CopyButton label="Copy JSON" text={() => text} /> Copy JSON
            </div>
            <pre className="foreign rounded-md border bg-term p-3 font-mono text-xs whitespace-pre-wrap">
              <Lines lines={lines} find={null} active={null} evidence={null} />
            </pre>
          </>
        )}
      </DialogContent>
    </Dialog>
  );
}
