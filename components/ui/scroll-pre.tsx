"use client";
import { useRef } from "react";
import { useScrolls } from "./use-scrolls";

/** Preformatted text in a box that scrolls: while it does, the keyboard reaches it too. */
export function ScrollPre(props: React.ComponentProps<"pre">) {
  const box = useRef<HTMLPreElement>(null);
  const scrolls = useScrolls(box);
  return <pre {...props} ref={box} tabIndex={scrolls ? 0 : undefined} />;
}
