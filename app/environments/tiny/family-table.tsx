import { Check } from "lucide-react";
import Link from "next/link";
import { cn } from "@/components/cn";
import { TableFrame, Td, Th } from "@/components/ui/table";
import type { Family } from "@/lib/environment/suite/family";
import { MISBEHAVIORS } from "@/lib/profile/misbehaviors";
import { tinyHref } from "./search-params";

/** The families, with their hazards and the misbehaviors each can show. */
export function FamilyTable({
  families,
  shows,
  chosen,
  seed,
}: {
  families: readonly Family[];
  shows: ReadonlyMap<string, ReadonlySet<string>>;
  chosen: string;
  seed: number;
}) {
  return (
    <TableFrame label="Families">
      <thead>
        <tr>
          <Th className="align-bottom">Family</Th>
          <Th className="align-bottom max-md:hidden">Hazards</Th>
          {MISBEHAVIORS.map((m) => (
            <Th key={m.slug} className="px-1 pt-2 pb-1.5 align-bottom font-normal">
              <Link
                href={`/misbehaviors/${m.slug}`}
                prefetch={false}
                title={m.name}
                className="mx-auto block h-36 min-w-8 leading-tight whitespace-normal [writing-mode:sideways-lr] hover:text-text hover:underline"
              >
                {m.name}
              </Link>
            </Th>
          ))}
        </tr>
      </thead>
      <tbody>
        {families.map((family) => (
          <tr key={family.name} className={cn("hover:bg-raised/60", family.name === chosen && "bg-accent-soft/60")}>
            <Td className="min-w-56">
              <Link
                href={tinyHref(family.name, seed)}
                scroll={false}
                prefetch={false}
                aria-current={family.name === chosen ? "true" : undefined}
                className="font-medium text-accent hover:underline"
              >
                {family.name}
              </Link>
              <span className="block text-xs text-muted">{family.about}</span>
              <div className="text-xs md:hidden">
                <Hazards family={family} />
              </div>
            </Td>
            <Td className="min-w-60 text-xs max-md:hidden">
              <Hazards family={family} />
            </Td>
            {MISBEHAVIORS.map((m) => (
              <Td key={m.slug} className="px-0 text-center">
                {shows.get(family.name)?.has(m.slug) ? (
                  <Check className="mx-auto size-4 text-accent" aria-label={`can show: ${m.name}`} />
                ) : (
                  <span className="text-muted">
                    <span aria-hidden>·</span>
                    <span className="sr-only">no</span>
                  </span>
                )}
              </Td>
            ))}
          </tr>
        ))}
      </tbody>
    </TableFrame>
  );
}

function Hazards({ family }: { family: Family }) {
  return Object.entries(family.hazards).map(([name, what]) => (
    <span key={name} className="block">
      <span className="font-medium">{name}</span> <span className="text-muted">{what}</span>
    </span>
  ));
}
