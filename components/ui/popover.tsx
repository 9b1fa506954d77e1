"use client";
import { Popover as Radix } from "radix-ui";
import { cn } from "@/components/cn";

export const Popover = Radix.Root;
export const PopoverTrigger = Radix.Trigger;
export const PopoverClose = Radix.Close;

export function PopoverContent({ className, ...props }: React.ComponentProps<typeof Radix.Content>) {
  return (
    <Radix.Portal>
      <Radix.Content
        align="start"
        sideOffset={4}
        collisionPadding={8}
        className={cn(
          "z-50 max-h-(--radix-popover-content-available-height) w-72 max-w-[calc(100vw-1rem)] overflow-auto rounded-md border bg-surface p-3 text-sm shadow-lg",
          className,
        )}
        {...props}
      />
    </Radix.Portal>
  );
}
