"use client";
import { Check, ChevronDown } from "lucide-react";
import { Select as Radix } from "radix-ui";
import { cn } from "@/components/cn";

export interface Option {
  value: string;
  label: React.ReactNode;
}

/** A single choice among a few options. */
export function Select({
  value,
  onValueChange,
  options,
  label,
  className,
  invalid,
  describedBy,
}: {
  value: string;
  onValueChange: (value: string) => void;
  options: Option[];
  /** Accessible name. */
  label: string;
  className?: string;
  /** What was chosen is refused. */
  invalid?: boolean | undefined;
  /** Id of what is said about it. */
  describedBy?: string | undefined;
}) {
  return (
    <Radix.Root value={value} onValueChange={onValueChange}>
      <Radix.Trigger
        aria-label={label}
        aria-invalid={invalid || undefined}
        aria-describedby={describedBy}
        className={cn(
          "inline-flex h-8 max-w-full items-center gap-1.5 rounded-md border border-line-strong/60 bg-surface px-2.5 text-sm hover:bg-raised",
          className,
        )}
      >
        <span className="truncate">
          {/* Said here and not by the list alone, which is there only in the browser: the page must not move when it comes. */}
          <Radix.Value>{options.find((option) => option.value === value)?.label}</Radix.Value>
        </span>
        <Radix.Icon>
          <ChevronDown className="size-3.5 text-muted" aria-hidden />
        </Radix.Icon>
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content position="popper" sideOffset={4} className="z-50 rounded-md border bg-surface shadow-lg">
          <Radix.Viewport className="max-h-80 p-1">
            {options.map((option) => (
              <Radix.Item
                key={option.value}
                value={option.value}
                className="flex cursor-default items-center gap-2 rounded px-2 py-1 text-sm outline-none data-[highlighted]:bg-accent-soft"
              >
                <span className="w-4">
                  <Radix.ItemIndicator>
                    <Check className="size-3.5" aria-hidden />
                  </Radix.ItemIndicator>
                </span>
                <Radix.ItemText>{option.label}</Radix.ItemText>
              </Radix.Item>
            ))}
          </Radix.Viewport>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
