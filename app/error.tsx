"use client";
import { TriangleAlert } from "lucide-react";
import { Button } from "@/components/ui/button";
import { StateMessage } from "@/components/ui/state";

/**
 * Shown when a page failed. What failed on the server comes without its message, only with a digest that finds it in the
 * server's log.
 */
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
      {digest ? (
        <p>
          The server failed while making it. The terminal that runs npm start shows the details under {digest}; “misstep
          doctor” checks the index.
        </p>
      ) : (
        <p>{error instanceof Error ? error.message : String(error)}</p>
      )}
    </StateMessage>
  );
}
