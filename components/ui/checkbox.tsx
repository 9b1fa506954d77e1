"use client";
import { Check, Minus } from "lucide-react";
import { Checkbox as Radix } from "radix-ui";
import { cn } from "@/components/cn";

export function Checkbox({ className, ...props }: React.ComponentProps<typeof Radix.Root>) {
  return (
    <Radix.Root
      className={cn(
        "grid size-4 shrink-0 place-items-center rounded border border-line-strong bg-surface data-[state=checked]:border-accent data-[state=checked]:bg-accent data-[state=indeterminate]:border-accent data-[state=indeterminate]:bg-accent",
        className,
      )}
      {...props}
    >
      <Radix.Indicator className="text-on-accent">
        {props.checked === "indeterminate" ? (
          <Minus className="size-3" aria-hidden />
        ) : (
          <Check className="size-3" aria-hidden />
        )}
      </Radix.Indicator>
    </Radix.Root>
  );
}
