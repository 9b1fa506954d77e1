"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { unreached } from "@/components/data/unreached";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/field";
import { visible } from "@/lib/text/glyphs";
import { noteAction } from "./actions";

/** A note on an item that is discussed. */
export function NoteForm({ item, position }: { item: number; position: number }) {
  const router = useRouter();
  const [text, setText] = useState("");
  const [error, setError] = useState<string | null>(null);
  const send = async () => {
    setError(null);
    try {
      const result = await noteAction({ item, text });
      if (!result.ok) return setError(result.error);
      setText("");
      router.refresh();
    } catch (error) {
      setError(unreached(error));
    }
  };
  return (
    <form
      className="flex flex-wrap items-center gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <Input
        aria-label={`Note on item ${position}`}
        placeholder="What was said about it"
        value={text}
        maxLength={10_000}
        onChange={(event) => setText(event.target.value)}
        className="min-w-40 flex-1"
      />
      <Button type="submit" disabled={text.trim() === ""}>
        Add note
      </Button>
      {error === null ? null : (
        <p role="alert" className="w-full text-sm text-bad">
          {visible(error)}
        </p>
      )}
    </form>
  );
}
