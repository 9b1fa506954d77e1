"use client";
import { useEffect, useRef } from "react";

export interface KeyActions {
  step: (by: 1 | -1) => void;
  flagged: (by: 1 | -1) => void;
  first: () => void;
  last: () => void;
  goTo: (number: number) => void;
  find: () => void;
  help: () => void;
  walk: () => void;
  escape: () => void;
}

/** Where typing means text, not commands. */
const inField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** Something modal or a menu is open: its keys are its own. */
const covered = (): boolean => document.querySelector('[role="dialog"], [role="menu"], [role="listbox"]') !== null;

/** The reader's keys. Digits before `g` are a step number. */
export function useKeys(actions: KeyActions): void {
  const latest = useRef(actions);
  useEffect(() => {
    latest.current = actions;
  });
  useEffect(() => {
    let digits = "";
    const onKey = (event: KeyboardEvent) => {
      const act = latest.current;
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "f" && !event.shiftKey && !event.altKey) {
        event.preventDefault();
        act.find();
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || inField(event.target) || covered()) return;
      if (/^\d$/.test(event.key)) {
        digits = (digits + event.key).slice(-7);
        return;
      }
      const number = digits;
      digits = "";
      const commands: Record<string, () => void> = {
        j: () => act.step(1),
        k: () => act.step(-1),
        n: () => act.flagged(1),
        p: () => act.flagged(-1),
        g: () => (number === "" ? act.first() : act.goTo(Number(number))),
        G: act.last,
        "/": act.find,
        "?": act.help,
        w: act.walk,
        Escape: act.escape,
      };
      const command = commands[event.key];
      if (!command) return;
      event.preventDefault();
      command();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
}
