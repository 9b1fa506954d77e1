"use client";
import { LoaderCircle, Search } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { cn } from "@/components/cn";
import { Input } from "@/components/ui/field";

const TYPING = 250;

/** A text that narrows a list; it is sent on shortly after the last key. */
export function SearchField({
  value,
  label,
  placeholder,
  pending,
  className,
  onChange,
}: {
  value: string;
  /** Accessible name. */
  label: string;
  placeholder: string;
  pending: boolean;
  className?: string;
  onChange: (value: string) => void;
}) {
  const [text, setText] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => setText(value), [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <div className={cn("relative w-full sm:w-64", className)}>
      {pending ? (
        <LoaderCircle className="absolute top-2 left-2.5 size-4 animate-spin text-muted" aria-label="Loading" />
      ) : (
        <Search className="absolute top-2 left-2.5 size-4 text-muted" aria-hidden />
      )}
      <Input
        type="search"
        aria-label={label}
        placeholder={placeholder}
        className="pl-8"
        value={text}
        onChange={(event) => {
          const next = event.target.value;
          setText(next);
          clearTimeout(timer.current);
          timer.current = setTimeout(() => onChange(next), TYPING);
        }}
      />
    </div>
  );
}
