import { Search } from "lucide-react";
import Form from "next/form";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/field";

/** The search words; works without scripts too. */
export function SearchForm({ q, where, made }: { q: string; where: "steps" | "reasons" | null; made: "yes" | null }) {
  return (
    <Form action="/search" className="flex gap-2">
      <div className="relative flex-1">
        <Search className="absolute top-2.5 left-2.5 size-4 text-muted" aria-hidden />
        <Input
          key={q}
          type="search"
          name="q"
          defaultValue={q}
          aria-label="Search words"
          placeholder={'for example   command:kill   or   "permission denied" chmod'}
          className="h-9 pl-8"
          maxLength={500}
        />
      </div>
      {where ? <input type="hidden" name="in" value={where} /> : null}
      {made ? <input type="hidden" name="made" value={made} /> : null}
      <Button type="submit" variant="primary" className="h-9">
        Search
      </Button>
    </Form>
  );
}
