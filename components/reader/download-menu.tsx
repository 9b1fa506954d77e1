"use client";
import { Download } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Dropdown, DropdownContent, DropdownItem, DropdownTrigger } from "@/components/ui/dropdown";

const FORMATS = [
  { format: "json", label: "JSON, everything as Misstep keeps it", notes: false },
  { format: "atif", label: "ATIF 1.7", notes: true },
  { format: "chat", label: "Chat JSONL, one line", notes: true },
];

/** The whole trajectory as a file, steps that are not on the screen included. `rejected`: some of its steps did not run. */
export function DownloadMenu({ id, rejected }: { id: number; rejected: boolean }) {
  return (
    <Dropdown>
      <DropdownTrigger asChild>
        <Button size="icon-sm" variant="ghost" aria-label="Download" title="Download the whole trajectory">
          <Download aria-hidden />
        </Button>
      </DropdownTrigger>
      <DropdownContent>
        {FORMATS.map(({ format, label, notes }) => (
          <DropdownItem key={format} asChild>
            <a href={`/api/trajectories/${id}/export?format=${format}`} download>
              {label}
              {rejected && notes ? " (rejected steps as notes)" : ""}
            </a>
          </DropdownItem>
        ))}
      </DropdownContent>
    </Dropdown>
  );
}
