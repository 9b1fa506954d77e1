"use client";
import { TriangleAlert } from "lucide-react";
import { Button } from "@/components/ui/button";
import { StateMessage } from "@/components/ui/state";

/** Shown when a page failed. In production the message is Next's own; the digest finds the real one in the server's log. */
export default function PageError({ error, retry }: { error: unknown; retry: () => void }) {
  const digest = error instanceof Error && "digest" in error ? String(error.digest) : null;
  return (
    <StateMessage
      page
      tone="bad"
      icon={<TriangleAlert aria-hidden />}
      title="This page could not be shown"
      actions={<Button onClick={() => retry()}>Try again</Button>}
    >
      <p>{error instanceof Error ? error.message : String(error)}</p>
      {digest ? <p>The server's log has the details under {digest}.</p> : null}
    </StateMessage>
  );
}
