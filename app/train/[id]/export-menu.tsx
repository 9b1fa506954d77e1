"use client";
import { Download } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Dropdown, DropdownContent, DropdownItem, DropdownTrigger } from "@/components/ui/dropdown";

const FILES = [
  { query: "format=jsonl", label: "Everything as JSON lines" },
  { query: "format=csv&table=steps", label: "Steps as CSV" },
  { query: "format=csv&table=groups", label: "Groups as CSV" },
  { query: "format=csv&table=rollouts", label: "Rollouts as CSV" },
];

/** Downloads of a training: whole, or a table of it. */
export function ExportMenu({ id }: { id: number }) {
  return (
    <Dropdown>
      <DropdownTrigger asChild>
        <Button>
          <Download aria-hidden /> Export
        </Button>
      </DropdownTrigger>
      <DropdownContent>
        {FILES.map(({ query, label }) => (
          <DropdownItem key={query} asChild>
            <a href={`/api/trainings/${id}/export?${query}`} download>
              {label}
            </a>
          </DropdownItem>
        ))}
      </DropdownContent>
    </Dropdown>
  );
}
