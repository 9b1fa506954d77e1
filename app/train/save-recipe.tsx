"use client";
import { Archive, Save } from "lucide-react";
import { useRouter } from "next/navigation";
import { useId, useState, useTransition } from "react";
import { unreached } from "@/components/data/unreached";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/field";
import { visible } from "@/lib/text/glyphs";
import type { Draft } from "./own-settings";
import { archiveRecipeAction, saveRecipeAction } from "./recipe-actions";

/** Keeps settings as a recipe of one's own. */
export function SaveRecipe({
  draft,
  basedOn,
  onSaved,
}: {
  draft: Draft;
  basedOn: string;
  onSaved: (name: string) => void;
}) {
  const id = useId();
  const router = useRouter();
  const [busy, startTransition] = useTransition();
  const [name, setName] = useState("");
  const [about, setAbout] = useState("");
  const [told, setTold] = useState<{ error: boolean; text: string } | null>(null);
  const save = () =>
    startTransition(async () => {
      try {
        const result = await saveRecipeAction({ name, about, basedOn, settings: draft });
        if (!result.ok) return setTold({ error: true, text: result.error });
        setTold({ error: false, text: `Kept as "${result.value.name}".` });
        setName("");
        setAbout("");
        router.refresh();
        onSaved(result.value.name);
      } catch (error) {
        setTold({ error: true, text: unreached(error) });
      }
    });
  return (
    <div className="flex flex-col gap-1">
      <div className="flex flex-wrap items-end gap-2">
        <label htmlFor={`${id}-name`} className="flex w-44 flex-col gap-1 text-sm text-muted">
          Recipe name
          <Input
            id={`${id}-name`}
            value={name}
            maxLength={48}
            onChange={(event) => setName(event.target.value)}
            className="text-text"
          />
        </label>
        <label htmlFor={`${id}-about`} className="flex min-w-44 flex-1 flex-col gap-1 text-sm text-muted">
          What it is for (optional)
          <Input
            id={`${id}-about`}
            value={about}
            maxLength={500}
            onChange={(event) => setAbout(event.target.value)}
            className="text-text"
          />
        </label>
        <Button disabled={busy || name.trim() === ""} onClick={save}>
          <Save aria-hidden /> Save as a recipe
        </Button>
      </div>
      {told === null ? null : (
        <p role={told.error ? "alert" : "status"} className={`foreign text-sm ${told.error ? "text-bad" : ""}`}>
          {visible(told.text)}
        </p>
      )}
    </div>
  );
}

/** Takes a recipe of one's own out of use. */
export function ArchiveRecipe({ name, onArchived }: { name: string; onArchived: () => void }) {
  const router = useRouter();
  const [busy, startTransition] = useTransition();
  const [error, setError] = useState<string | null>(null);
  const archive = () =>
    startTransition(async () => {
      try {
        const result = await archiveRecipeAction({ name });
        if (!result.ok) return setError(result.error);
        onArchived();
        router.refresh();
      } catch (error) {
        setError(unreached(error));
      }
    });
  return (
    <>
      <Button
        size="sm"
        variant="ghost"
        disabled={busy}
        onClick={archive}
        title="Trainings made with it stay as they are"
      >
        <Archive aria-hidden /> Archive this recipe
      </Button>
      {error === null ? null : (
        <span role="alert" className="foreign text-sm text-bad">
          {visible(error)}
        </span>
      )}
    </>
  );
}
