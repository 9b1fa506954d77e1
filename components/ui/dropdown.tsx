"use client";
import { Check } from "lucide-react";
import { DropdownMenu as Radix } from "radix-ui";
import { cn } from "@/components/cn";

export const Dropdown = Radix.Root;
export const DropdownTrigger = Radix.Trigger;
export const DropdownRadioGroup = Radix.RadioGroup;

const item =
  "relative flex cursor-default items-center gap-2 rounded py-1 pr-3 pl-7 text-sm outline-none data-[highlighted]:bg-accent-soft data-[disabled]:opacity-45";

export function DropdownContent({ className, ...props }: React.ComponentProps<typeof Radix.Content>) {
  return (
    <Radix.Portal>
      <Radix.Content
        align="end"
        sideOffset={4}
        collisionPadding={8}
        className={cn(
          "z-50 max-h-(--radix-dropdown-menu-content-available-height) min-w-40 overflow-auto rounded-md border bg-surface p-1 shadow-lg",
          className,
        )}
        {...props}
      />
    </Radix.Portal>
  );
}

export function DropdownItem({ className, ...props }: React.ComponentProps<typeof Radix.Item>) {
  return <Radix.Item className={cn(item, "pl-3", className)} {...props} />;
}

export function DropdownCheckboxItem({
  className,
  children,
  ...props
}: React.ComponentProps<typeof Radix.CheckboxItem>) {
  return (
    <Radix.CheckboxItem className={cn(item, className)} {...props}>
      <Radix.ItemIndicator className="absolute left-2">
        <Check className="size-3.5" aria-hidden />
      </Radix.ItemIndicator>
      {children}
    </Radix.CheckboxItem>
  );
}

export function DropdownRadioItem({ className, children, ...props }: React.ComponentProps<typeof Radix.RadioItem>) {
  return (
    <Radix.RadioItem className={cn(item, className)} {...props}>
      <Radix.ItemIndicator className="absolute left-2">
        <Check className="size-3.5" aria-hidden />
      </Radix.ItemIndicator>
      {children}
    </Radix.RadioItem>
  );
}

export function DropdownLabel(props: React.ComponentProps<typeof Radix.Label>) {
  return <Radix.Label className="px-3 pt-1.5 pb-0.5 text-xs text-muted" {...props} />;
}
