import { cva, type VariantProps } from "class-variance-authority";
import { cn } from "@/components/cn";

const badge = cva(
  "inline-flex max-w-full items-center gap-1 rounded px-1.5 py-px text-xs leading-4.5 whitespace-nowrap [&_svg]:size-3 [&_svg]:shrink-0",
  {
    variants: {
      tone: {
        neutral: "bg-raised text-muted",
        accent: "bg-accent-soft text-accent",
        bad: "bg-bad-soft text-bad",
        warn: "bg-warn-soft text-warn",
        good: "bg-good-soft text-good",
      },
    },
    defaultVariants: { tone: "neutral" },
  },
);

/** A short mark; its text says what its colour says. */
export function Badge({ tone, className, ...props }: React.ComponentProps<"span"> & VariantProps<typeof badge>) {
  return <span className={cn(badge({ tone }), className)} {...props} />;
}
