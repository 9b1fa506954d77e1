import { cva, type VariantProps } from "class-variance-authority";
import { Slot } from "radix-ui";
import { cn } from "@/components/cn";

const button = cva(
  "inline-flex shrink-0 items-center justify-center gap-1.5 rounded-md text-sm whitespace-nowrap transition-colors disabled:pointer-events-none disabled:opacity-45 aria-disabled:pointer-events-none aria-disabled:opacity-45 [&_svg]:size-4 [&_svg]:shrink-0",
  {
    variants: {
      variant: {
        primary: "bg-accent text-on-accent hover:opacity-90",
        outline: "border border-line-strong/60 bg-surface hover:bg-raised",
        ghost: "text-muted hover:bg-raised hover:text-text aria-pressed:bg-accent-soft aria-pressed:text-accent",
        danger: "border border-bad/60 text-bad hover:bg-bad-soft",
      },
      size: {
        sm: "h-7 px-2 text-xs",
        md: "h-8 px-3",
        icon: "size-8",
        "icon-sm": "size-7",
      },
    },
    defaultVariants: { variant: "outline", size: "md" },
  },
);

export type ButtonProps = React.ComponentProps<"button"> & VariantProps<typeof button> & { asChild?: boolean };

/** A button; `asChild` gives its look to a link. */
export function Button({ className, variant, size, asChild, type, ...props }: ButtonProps) {
  if (asChild) return <Slot.Root className={cn(button({ variant, size }), className)} {...props} />;
  return <button type={type ?? "button"} className={cn(button({ variant, size }), className)} {...props} />;
}
