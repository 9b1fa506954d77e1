"use client";
import { CircleHelp } from "lucide-react";
import Link from "next/link";
import { GLOSSARY, type TermName, termHref } from "@/lib/text/glossary";
import { Popover, PopoverContent, PopoverTrigger } from "./popover";

/** A small sign beside a heading that says what its word means. One a heading: the page of all words has the rest. */
export function Term({ name }: { name: TermName }) {
  const { term, says } = GLOSSARY[name];
  return (
    <Popover>
      <PopoverTrigger
        aria-label={`What ${/^[aeiou]/.test(term) ? "an" : "a"} ${term} is`}
        className="inline-flex size-6 shrink-0 items-center justify-center rounded-full align-middle text-muted hover:text-text"
      >
        <CircleHelp className="size-3.5" aria-hidden />
      </PopoverTrigger>
      <PopoverContent aria-label={term} className="font-normal whitespace-normal text-text">
        <p>
          <strong className="font-medium first-letter:uppercase">{term}</strong> – {says}
        </p>
        <Link href={termHref(name)} className="mt-1 inline-block text-accent underline">
          All words
        </Link>
      </PopoverContent>
    </Popover>
  );
}
