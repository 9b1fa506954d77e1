"use client";
import { useEffect, useState } from "react";
import { CopyButton } from "@/components/reader/copy-button";
import { formatTime } from "@/lib/text/format";
import type { MadeLink } from "./actions";

/** A link that was just made: this is the only time it can be seen. */
export function LinkShown({ link }: { link: MadeLink }) {
  const [origin, setOrigin] = useState("");
  useEffect(() => setOrigin(window.location.origin), []);
  const whole = `${origin}${link.path}`;
  return (
    <div role="status" className="flex flex-col gap-1 rounded-md border bg-raised p-3 text-sm">
      <p>
        {link.kind === "reset" ? "Link for a new password" : "Invitation"}: works once, until{" "}
        {formatTime(link.expiresAt)} UTC. It is shown only now; send it to nobody else.
      </p>
      <div className="flex items-start gap-1">
        <code className="min-w-0 flex-1 font-mono text-xs break-all">{whole}</code>
        <CopyButton text={() => whole} label="Copy the link" />
      </div>
    </div>
  );
}
