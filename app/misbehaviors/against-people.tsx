import Link from "next/link";
import { QualityCells, QualityHeads } from "@/components/data/quality-cells";
import { TableFrame, Td, Th } from "@/components/ui/table";
import { Term } from "@/components/ui/term";
import type { Db } from "@/db/client";
import { type TypeQuality, typesAgainstPeople } from "@/lib/evaluate/people/types";
import { visible } from "@/lib/text/glyphs";
import { under } from "./shown";

const sampled = ({ random, steps, people }: TypeQuality): string =>
  people !== "settled"
    ? "chosen by the data set"
    : random === 0
      ? "none drawn at random"
      : random === steps
        ? "all drawn at random"
        : `${random} of ${steps} drawn at random`;

/** Precision and recall of detectors and annotators against people, by type, or of one type. */
export function TypesAgainstPeople({
  db,
  taxonomyId,
  linked,
  slug,
}: {
  db: Db;
  taxonomyId: number;
  linked: number | null;
  slug?: string;
}) {
  const rows = typesAgainstPeople(db, taxonomyId, slug);
  return (
    <section aria-labelledby="against-people" className="flex min-w-0 flex-col gap-2">
      <h2 id="against-people" className="font-medium">
        Against people{" "}
        <span className="text-sm font-normal text-muted">
          detectors and annotators on steps that people settled, and that data sets name
        </span>
      </h2>
      {rows.length === 0 ? (
        <p className="text-sm text-muted">
          Precision and recall are not known: nobody has settled {slug === undefined ? "any type" : "this type"} yet.{" "}
          <Link href="/review" className="text-accent hover:underline">
            Review some steps
          </Link>
        </p>
      ) : (
        <>
          <TableFrame label="Detectors and annotators against people">
            <thead>
              <tr>
                {slug === undefined ? <Th>Type</Th> : null}
                <Th>People</Th>
                <Th>
                  Labelled by <Term name="label" />
                </Th>
                <QualityHeads of="Steps" />
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={`${row.people} ${row.typeId} ${row.by.localizerId}`}>
                  {slug === undefined ? (
                    <Td className="min-w-40">
                      <Link
                        href={under(`/misbehaviors/${encodeURIComponent(row.slug)}`, linked)}
                        prefetch={false}
                        className="foreign text-accent hover:underline"
                      >
                        {visible(row.name)}
                      </Link>
                    </Td>
                  ) : null}
                  <Td className="foreign min-w-28">
                    {row.people === "settled" ? "settled reviews" : visible(row.people)}
                    <span className="block text-2xs text-muted">{sampled(row)}</span>
                  </Td>
                  <Td className="min-w-28">
                    <span className="foreign">{visible(row.by.name)}</span>{" "}
                    <span className="foreign text-xs text-muted">{visible(row.by.version)}</span>
                  </Td>
                  <QualityCells of={row} clusters={["trajectory", "trajectories"]} />
                </tr>
              ))}
            </tbody>
          </TableFrame>
          <p className="max-w-[80ch] text-xs text-muted">
            Precision: of the steps it gives the type, those to which people give it; recall: of the steps to which
            people give it, those it finds. Counts: by both, by people alone, by it alone, by neither. Only a sample
            drawn at random from everything says what holds of everything; where queues were drawn from flagged steps,
            recall is of flagged steps. Data sets enter where one of their categories says the same as a type.
          </p>
        </>
      )}
    </section>
  );
}
