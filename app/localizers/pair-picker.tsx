"use client";
import { useRouter } from "next/navigation";
import { Select } from "@/components/ui/select";
import { visible } from "@/lib/text/glyphs";
import { localizersHref } from "./search-params";

/** Chooses the two localizers that are compared; the choice is in the address. */
export function PairPicker({ judges, a, b }: { judges: { id: number; label: string }[]; a: number; b: number }) {
  const router = useRouter();
  const pick = (which: "a" | "b") => (value: string) =>
    router.push(localizersHref({ a, b, [which]: Number(value) }), { scroll: false });
  const options = judges.map(({ id, label }) => ({ value: String(id), label: visible(label) }));
  return (
    <div className="flex flex-wrap items-center gap-2 text-sm text-muted">
      <Select
        label="First localizer"
        value={String(a)}
        onValueChange={pick("a")}
        options={options}
        className="text-text"
      />
      and
      <Select
        label="Second localizer"
        value={String(b)}
        onValueChange={pick("b")}
        options={options}
        className="text-text"
      />
    </div>
  );
}
