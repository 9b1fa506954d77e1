"use client";
import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import { cn } from "@/components/cn";

export const Dialog = Radix.Root;
export const DialogTrigger = Radix.Trigger;
export const DialogClose = Radix.Close;

/** A modal with title and close button. `wide` is for text to read. */
export function DialogContent({
  title,
  description,
  wide,
  className,
  children,
}: {
  title: React.ReactNode;
  description?: React.ReactNode;
  wide?: boolean;
  className?: string;
  children: React.ReactNode;
}) {
  return (
    <Radix.Portal>
      <Radix.Overlay className="fixed inset-0 z-40 bg-black/45 data-[state=open]:animate-in data-[state=open]:fade-in-0" />
      <Radix.Content
        {...(description ? {} : { "aria-describedby": undefined })}
        className={cn(
          "fixed top-[6dvh] left-1/2 z-50 flex max-h-[86dvh] w-[calc(100vw-1.5rem)] -translate-x-1/2 flex-col rounded-lg border bg-surface shadow-xl",
          wide ? "max-w-4xl" : "max-w-lg",
          className,
        )}
      >
        <div className="flex items-start gap-3 border-b px-4 py-2.5">
          <div className="min-w-0 flex-1">
            <Radix.Title className="font-semibold">{title}</Radix.Title>
            {description ? <Radix.Description className="text-sm text-muted">{description}</Radix.Description> : null}
          </div>
          <Radix.Close aria-label="Close" className="rounded-md p-1 text-muted hover:bg-raised hover:text-text">
            <X className="size-4" aria-hidden />
          </Radix.Close>
        </div>
        <div className="min-h-0 flex-1 overflow-auto p-4">{children}</div>
      </Radix.Content>
    </Radix.Portal>
  );
}
