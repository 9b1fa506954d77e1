"use client";
import { Tabs as Radix } from "radix-ui";
import { cn } from "@/components/cn";

export const Tabs = Radix.Root;
export const TabsContent = Radix.Content;

export function TabsList({ className, ...props }: React.ComponentProps<typeof Radix.List>) {
  return <Radix.List className={cn("flex gap-1 border-b", className)} {...props} />;
}

export function TabsTrigger({ className, ...props }: React.ComponentProps<typeof Radix.Trigger>) {
  return (
    <Radix.Trigger
      className={cn(
        "-mb-px border-b-2 border-transparent px-2.5 py-1.5 text-sm whitespace-nowrap text-muted hover:text-text data-[state=active]:border-accent data-[state=active]:text-text",
        className,
      )}
      {...props}
    />
  );
}
