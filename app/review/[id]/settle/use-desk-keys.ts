"use client";
import { useEffect, useRef } from "react";

export interface DeskKeys {
  /** 1, 2, … */
  adopt: (n: number) => void;
  /** By the key. */
  commands: Readonly<Record<string, () => void>>;
}

const ALIASES: Readonly<Record<string, string>> = { ArrowRight: "j", ArrowLeft: "k" };

/** Where typing means text, not commands. */
const inField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(TEXTAREA|SELECT)$/.test(target.tagName) || isTextInput(target));
const isTextInput = (target: HTMLElement): boolean =>
  target instanceof HTMLInputElement && !/^(radio|checkbox)$/.test(target.type);

/** Something modal or a menu is open: its keys are its own. */
const covered = (): boolean => document.querySelector('[role="dialog"], [role="menu"], [role="listbox"]') !== null;

/** Keys of the settle page; none while a text is typed, and none with a modifier. Escape leaves a text field. */
export function useDeskKeys(keys: DeskKeys): void {
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === "Escape" && inField(event.target)) (event.target as HTMLElement).blur();
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || inField(event.target) || covered()) return;
      if (/^[1-9]$/.test(event.key)) {
        event.preventDefault();
        latest.current.adopt(Number(event.key));
        return;
      }
      const command = latest.current.commands[ALIASES[event.key] ?? event.key];
      if (!command) return;
      event.preventDefault();
      command();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
}
