"use client";
import { Tooltip as Radix } from "radix-ui";

export const TooltipProvider = Radix.Provider;

/** A short text beside the thing under pointer or focus. Never the only place of that text. */
export function Tooltip({ content, children }: { content: React.ReactNode; children: React.ReactNode }) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          sideOffset={5}
          collisionPadding={8}
          className="z-50 max-w-80 rounded-md bg-text px-2 py-1 text-xs text-bg shadow-md"
        >
          {content}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
