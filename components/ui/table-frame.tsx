"use client";
import { useRef } from "react";
import { cn } from "@/components/cn";
import { useScrolls } from "./use-scrolls";

/** A table in a box that scrolls sideways when it does not fit; then the keyboard reaches it. */
export function TableFrame({
  className,
  children,
  label,
}: {
  className?: string;
  children: React.ReactNode;
  label: string;
}) {
  const box = useRef<HTMLElement>(null);
  const scrolls = useScrolls(box);
  return (
    <section
      ref={box}
      aria-label={label}
      tabIndex={scrolls ? 0 : undefined}
      className={cn("relative overflow-x-auto rounded-lg border bg-surface", className)}
    >
      <table className="w-full border-collapse text-sm [&>tbody>tr:last-child>:is(td,th)]:border-b-0">{children}</table>
    </section>
  );
}
