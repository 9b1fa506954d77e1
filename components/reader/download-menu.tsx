"use client";
import { Download } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Dropdown, DropdownContent, DropdownItem, DropdownTrigger } from "@/components/ui/dropdown";

const FORMATS = [
  { format: "json", label: "JSON, everything as Misstep keeps it" },
  { format: "atif", label: "ATIF 1.7" },
  { format: "chat", label: "Chat JSONL, one line" },
];

/** The whole trajectory as a file, steps that are not on the screen included. */
export function DownloadMenu({ id }: { id: number }) {
  return (
    <Dropdown>
      <DropdownTrigger asChild>
        <Button size="icon-sm" variant="ghost" aria-label="Download" title="Download the whole trajectory">
          <Download aria-hidden />
        </Button>
      </DropdownTrigger>
      <DropdownContent>
        {FORMATS.map(({ format, label }) => (
          <DropdownItem key={format} asChild>
            <a href={`/api/trajectories/${id}/export?format=${format}`} download>
              {label}
            </a>
          </DropdownItem>
        ))}
      </DropdownContent>
    </Dropdown>
  );
}
