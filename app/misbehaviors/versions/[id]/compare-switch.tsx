"use client";
import { useRouter } from "next/navigation";
import { Select } from "@/components/ui/select";

/** Chooses the version that this one is compared with. */
export function CompareSwitch({
  base,
  value,
  choices,
}: {
  base: string;
  value: number | null;
  choices: { id: number; label: string }[];
}) {
  const router = useRouter();
  return (
    <Select
      label="Compared with"
      value={value === null ? "none" : String(value)}
      onValueChange={(id) => router.push(id === "none" ? base : `${base}?with=${id}`, { scroll: false })}
      options={[
        ...(value === null ? [{ value: "none", label: "choose a version" }] : []),
        ...choices.map((c) => ({ value: String(c.id), label: c.label })),
      ]}
    />
  );
}
