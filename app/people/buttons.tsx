"use client";
import { LogOut } from "lucide-react";
import { useState } from "react";
import { Refusal, useAction } from "@/app/settings/models/form";
import { Button } from "@/components/ui/button";
import { endSessionAction } from "./actions";
import { send } from "./send";

/** Signs another browser out. */
export function EndSessionButton({ id, whose }: { id: string; whose: string | null }) {
  const { busy, error, run } = useAction();
  return (
    <>
      <Button
        size="sm"
        disabled={busy}
        aria-label={whose === null ? "Sign this browser out" : `Sign this browser of ${whose} out`}
        onClick={() =>
          run(
            () => endSessionAction({ id }),
            () => undefined,
          )
        }
      >
        Sign out
      </Button>
      <Refusal error={error} />
    </>
  );
}

/** Signs this browser out; then the page for signing in, fresh. */
export function SignOutButton() {
  const [error, setError] = useState<string | null>(null);
  return (
    <>
      <Button
        size="sm"
        onClick={async () => {
          const said = await send("sign-out", {});
          if (said === null) window.location.assign("/sign-in");
          else setError(said);
        }}
      >
        <LogOut aria-hidden /> Sign out
      </Button>
      <Refusal error={error} />
    </>
  );
}
