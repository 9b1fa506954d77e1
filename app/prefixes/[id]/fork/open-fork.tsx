"use client";
import { SquareTerminal } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState, useTransition } from "react";
import { Button } from "@/components/ui/button";
import { openForkAction } from "./actions";

/** Opens a live fork of a prefix and goes to its page. `refused`: why it cannot be, known beforehand; null when it can. */
export function OpenFork({ prefixId, refused }: { prefixId: number; refused: string | null }) {
  const router = useRouter();
  const [pending, start] = useTransition();
  const [error, setError] = useState<string | null>(null);
  const open = () =>
    start(async () => {
      const answer = await openForkAction({ prefixId });
      if (answer.ok) router.push(`/prefixes/${prefixId}/fork/${answer.value.forkId}`);
      else setError(answer.error);
    });
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button onClick={open} disabled={pending || refused !== null} title={refused ?? undefined}>
        <SquareTerminal aria-hidden />
        Open a terminal here
      </Button>
      {refused !== null ? <span className="text-sm text-muted">{refused}</span> : null}
      {error !== null ? (
        <span role="alert" className="text-sm text-bad">
          {error}
        </span>
      ) : null}
    </div>
  );
}
