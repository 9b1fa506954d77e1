"use client";
import "@xterm/xterm/css/xterm.css";
import type { Terminal } from "@xterm/xterm";
import { useEffect, useImperativeHandle, useRef } from "react";
import type { ForkView } from "@/lib/prefix/fork/types";
import { terminalTheme } from "./colours";
import { TerminalLine } from "./line";

/** What the page around a terminal may do with it. */
export interface LiveTerminalHandle {
  /** Puts text on the prompt without running it. */
  paste(text: string): void;
  /** Ends the session. */
  close(): void;
}

interface Props {
  ref: React.Ref<LiveTerminalHandle>;
  forkId: string;
  onState(view: ForkView): void;
  onDown(reason: string | null): void;
  /** The server does not know it any more. */
  onGone(): void;
}

/** Leaves out what would act on the terminal, or turn its text around, instead of standing on its prompt. */
const withoutControls = (text: string) =>
  text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "");

/** Quoted insert of readline: the line feed stands on the prompt and runs nothing. */
const QUOTED_NEWLINE = "\u0016\n";

/** A terminal of a live fork. Nothing in its output is followed: no links, no clipboard, no title. */
export function LiveTerminal({ ref, forkId, onState, onDown, onGone }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const terminal = useRef<Terminal | null>(null);
  const line = useRef<TerminalLine | null>(null);

  useImperativeHandle(
    ref,
    () => ({
      paste(text) {
        const plain = withoutControls(text);
        // A program may have switched bracketed paste off; then every line feed of a paste would run a line.
        if (terminal.current?.modes.bracketedPasteMode) terminal.current.paste(plain);
        else line.current?.type(plain.replaceAll("\n", QUOTED_NEWLINE));
        terminal.current?.focus();
      },
      close: () => line.current?.send({ type: "close" }),
    }),
    [],
  );

  useEffect(() => {
    let gone = false;
    let off: () => void = () => undefined;
    void Promise.all([import("@xterm/xterm"), import("@xterm/addon-fit")]).then(([{ Terminal }, { FitAddon }]) => {
      const element = box.current;
      if (gone || !element) return;
      const term = new Terminal({
        fontFamily: "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace",
        fontSize: 13,
        scrollback: 10_000,
        screenReaderMode: true,
        theme: terminalTheme(),
        linkHandler: { activate: () => undefined, allowNonHttpProtocols: false },
      });
      const fit = new FitAddon();
      term.loadAddon(fit);
      term.open(element);
      // Tab belongs to the shell; Shift+Tab is the way out for the keyboard.
      term.attachCustomKeyEventHandler((e) => !(e.key === "Tab" && e.shiftKey));
      // Queries in output that is shown again were answered the first time: the answers would be typed into the shell.
      let caughtUp = false;
      const wire = new TerminalLine(forkId, {
        onData: (data) => term.write(data),
        onLost: (n) => term.write(`\r\n\u001b[7m ${n} bytes of output were not kept \u001b[0m\r\n`),
        onState: (view) => {
          term.write("", () => {
            caughtUp = true;
          });
          onState(view);
        },
        onDown,
        onGone,
      });
      term.onData((data) => {
        if (caughtUp) wire.type(data);
      });
      term.onResize(({ cols, rows }) =>
        wire.send({ type: "resize", cols: Math.max(cols, 20), rows: Math.max(rows, 5) }),
      );
      const resized = new ResizeObserver(() => fit.fit());
      resized.observe(element);
      const themed = new MutationObserver(() => {
        term.options.theme = terminalTheme();
      });
      themed.observe(document.documentElement, { attributes: true, attributeFilter: ["class"] });
      fit.fit();
      wire.send({ type: "resize", cols: Math.max(term.cols, 20), rows: Math.max(term.rows, 5) });
      term.focus();
      terminal.current = term;
      line.current = wire;
      off = () => {
        resized.disconnect();
        themed.disconnect();
        wire.close();
        term.dispose();
      };
    });
    return () => {
      gone = true;
      off();
      terminal.current = null;
      line.current = null;
    };
  }, [forkId, onState, onDown, onGone]);

  return <div ref={box} className="h-full min-h-0 w-full overflow-hidden" />;
}
