"use client";
import { useEffect, useRef } from "react";
import type { Choice } from "./keys";
import { COMMANDS } from "./keys";

export interface SeatKeys {
  choices: readonly Choice[];
  choose: (choice: Choice) => void;
  submit: () => void;
  undo: () => void;
  back: () => void;
  forward: () => void;
  jump: () => void;
  note: () => void;
  context: () => void;
  help: () => void;
  escape: () => void;
}

const covered = (): boolean => document.querySelector('[role="dialog"], [role="menu"], [role="listbox"]') !== null;

/** The seat's keys. In the note, Enter and Escape leave it; everywhere else a key is a command or an answer. */
export function useSeatKeys(keys: SeatKeys): void {
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const k = latest.current;
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
      const { target } = event;
      if (target instanceof HTMLTextAreaElement) {
        if ((event.key === "Enter" && !event.shiftKey) || event.key === "Escape") {
          event.preventDefault();
          target.blur();
        }
        return;
      }
      if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement || covered()) return;
      const control = target instanceof HTMLElement && target.closest("button, a, summary") !== null;
      const commands: Record<string, () => void> = {
        [COMMANDS.undo]: k.undo,
        [COMMANDS.back]: k.back,
        ArrowLeft: k.back,
        [COMMANDS.forward]: k.forward,
        ArrowRight: k.forward,
        [COMMANDS.jump]: k.jump,
        [COMMANDS.note]: k.note,
        [COMMANDS.context]: k.context,
        [COMMANDS.help]: k.help,
        Escape: k.escape,
      };
      const choice = k.choices.find((c) => c.key === event.key && c.key !== "");
      // A held key answers once.
      if (event.repeat && (choice || event.key === "Enter")) return event.preventDefault();
      // Enter on a button presses it.
      const run = choice ? () => k.choose(choice) : event.key === "Enter" && !control ? k.submit : commands[event.key];
      if (!run) return;
      event.preventDefault();
      run();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
}
