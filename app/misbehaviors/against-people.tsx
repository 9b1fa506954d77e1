import Link from "next/link";
import { QualityCells, QualityHeads } from "@/components/data/quality-cells";
import { TableFrame, Td, Th } from "@/components/ui/table";
import { Term } from "@/components/ui/term";
import type { Db } from "@/db/client";
import { type TypeQuality, typesAgainstPeople } from "@/lib/evaluate/people/types";
import { visible } from "@/lib/text/glyphs";
import { under } from "./shown";

const sampled = ({ reach, steps }: TypeQuality): string => {
  if (reach === null) return "chosen by the data set";
  if (reach.flagged === steps) return "drawn from flagged steps only";
  if (reach.all === 0) return "none drawn at random from all steps";
  return reach.all === steps
    ? "all drawn at random from all steps"
    : `${reach.all} of ${steps} drawn at random from all steps`;
};

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
            people give it, those it finds. Counts: by both, by people alone, by it alone, by neither. Recall counts the
            steps drawn at random from all: what was drawn from flagged steps says nothing of those passed over. Data
            sets enter where one of their categories says the same as a type.
          </p>
        </>
      )}
    </section>
  );
}
