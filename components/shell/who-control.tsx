"use client";
import { Check, UserRound, UserRoundPlus } from "lucide-react";
import { useId, useState, useTransition } from "react";
import { cn } from "@/components/cn";
import { unreached } from "@/components/data/unreached";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/field";
import { Popover, PopoverContent, PopoverTrigger } from "@/components/ui/popover";
import { Select } from "@/components/ui/select";
import { type Actor, ROLES, type Role } from "@/lib/people/actor";
import { NAV_ITEM } from "./nav-item";

type Result = { ok: true } | { ok: false; error: string };
interface Props {
  actor: Actor;
  people: { id: number; name: string; role: string }[];
  /** Nobody is there yet. */
  first: boolean;
  pick: (input: { personId: number | null }) => Promise<Result>;
  introduce: (input: { name: string; role: Role }) => Promise<Result>;
  /** In the rail, or as a button of a page that needs a name before it goes on. */
  place?: "rail" | "page";
}

const row =
  "flex w-full items-center gap-2 rounded px-2 py-1 text-left hover:bg-raised focus-visible:bg-accent-soft aria-pressed:text-accent disabled:opacity-45";

/** Says in whose name this browser acts, and changes it: one of the persons, a new one, or nobody. */
export function WhoControl({ actor, people, first, pick, introduce, place = "rail" }: Props) {
  const [open, setOpen] = useState(false);
  const [busy, start] = useTransition();
  const [error, setError] = useState<string | null>(null);
  const [name, setName] = useState("");
  const [chosen, setChosen] = useState<Role | null>(null);
  const role = chosen ?? (first ? "admin" : "annotator");
  const label = useId();
  const run = (action: () => Promise<Result>) => {
    setError(null);
    start(async () => {
      try {
        const result = await action();
        if (!result.ok) return setError(result.error);
        setOpen(false);
        setName("");
        setChosen(null);
      } catch (error) {
        setError(unreached(error));
      }
    });
  };
  const nobody = actor.personId === null;
  const who = nobody ? "Pick a name" : actor.name;
  return (
    <Popover open={open} onOpenChange={setOpen}>
      {place === "page" ? (
        <PopoverTrigger asChild>
          <Button variant="primary">
            <UserRound aria-hidden /> {who}
          </Button>
        </PopoverTrigger>
      ) : (
        <PopoverTrigger
          className={cn(NAV_ITEM, "max-w-24")}
          title={nobody ? who : `${actor.name}, ${actor.role}`}
          aria-label={nobody ? who : `You are ${actor.name}, ${actor.role}`}
        >
          <UserRound className="size-4.5" aria-hidden />
          <span className="max-w-full truncate max-sm:sr-only">{who}</span>
          {nobody ? null : <span className="max-sm:sr-only">{actor.role}</span>}
        </PopoverTrigger>
      )}
      <PopoverContent
        {...(place === "page" ? { side: "bottom", align: "center" } : { side: "right", align: "end" })}
        aria-labelledby={label}
        className="flex flex-col gap-2"
      >
        <h2 id={label} className="font-medium">
          Who are you?
        </h2>
        <p className="text-xs text-muted">
          What you review is kept under this name. There are no accounts: anybody at this machine can pick any name.
        </p>
        <ul className="flex max-h-56 flex-col overflow-auto">
          {people.map((person) => (
            <li key={person.id}>
              <button
                type="button"
                className={row}
                disabled={busy}
                aria-pressed={person.id === actor.personId}
                onClick={() => run(() => pick({ personId: person.id }))}
              >
                <Check className={cn("size-3.5 shrink-0", person.id !== actor.personId && "invisible")} aria-hidden />
                <span className="min-w-0 flex-1 truncate">{person.name}</span>
                <span className="text-xs text-muted">{person.role}</span>
              </button>
            </li>
          ))}
          <li>
            <button
              type="button"
              className={row}
              disabled={busy}
              aria-pressed={nobody}
              onClick={() => run(() => pick({ personId: null }))}
            >
              <Check className={cn("size-3.5 shrink-0", !nobody && "invisible")} aria-hidden />
              <span className="min-w-0 flex-1">Nobody</span>
              <span className="text-xs text-muted">reads and runs everything</span>
            </button>
          </li>
        </ul>
        <form
          aria-label="Somebody new"
          className="flex flex-col gap-2 border-t pt-2"
          onSubmit={(event) => {
            event.preventDefault();
            run(() => introduce({ name, role }));
          }}
        >
          <div className="flex gap-2">
            <Input
              aria-label="Your name"
              placeholder="Somebody new"
              value={name}
              maxLength={60}
              autoComplete="off"
              required
              onChange={(event) => setName(event.target.value)}
            />
            <Select
              label="Role"
              value={role}
              onValueChange={(value) => setChosen(ROLES.find((known) => known === value) ?? "viewer")}
              options={ROLES.map((value) => ({ value, label: value }))}
            />
          </div>
          {first ? <p className="text-xs text-muted">The first person is admin unless you choose otherwise.</p> : null}
          {error === null ? null : (
            <p role="alert" className="foreign text-bad">
              {error}
            </p>
          )}
          <Button type="submit" size="sm" variant="primary" className="self-end" disabled={busy}>
            <UserRoundPlus aria-hidden /> Add and go on
          </Button>
        </form>
      </PopoverContent>
    </Popover>
  );
}
