"use client";
import { Check, Copy, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";

const SHOWN_MS = 1500;

/** Copies a text exactly. `text` may first have to be fetched. */
export function CopyButton({ text, label }: { text: () => string | Promise<string>; label: string }) {
  const [state, setState] = useState<"idle" | "done" | "failed">("idle");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(await text());
      setState("done");
    } catch (error) {
      console.error(error);
      setState("failed");
    }
    setTimeout(() => setState("idle"), SHOWN_MS);
  };
  const said = state === "done" ? "Copied" : state === "failed" ? "Could not copy" : label;
  const Icon = state === "done" ? Check : state === "failed" ? TriangleAlert : Copy;
  return (
    <Button size="icon-sm" variant="ghost" aria-label={said} title={said} onClick={() => void copy()}>
      <Icon aria-hidden />
    </Button>
  );
}
