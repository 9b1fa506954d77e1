import { cn } from "@/components/cn";

export { TableFrame } from "./table-frame";

export function Th({ className, ...props }: React.ComponentProps<"th">) {
  return (
    <th
      scope="col"
      className={cn("h-8 border-b px-2.5 text-left text-xs font-medium whitespace-nowrap text-muted", className)}
      {...props}
    />
  );
}

export function Td({ className, ...props }: React.ComponentProps<"td">) {
  return <td className={cn("border-b px-2.5 py-1.5 align-top", className)} {...props} />;
}
