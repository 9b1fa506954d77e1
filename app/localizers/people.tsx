import { QualityCells, QualityHeads } from "@/components/data/quality-cells";
import { TableFrame, Td, Th } from "@/components/ui/table";
import type { Db } from "@/db/client";
import { localizersAgainstPeople } from "@/lib/evaluate/people/localizers";
import { plural } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";

/** How far each localizer agrees with people, step by step: settled reviews and data sets apart. */
export function AgainstPeople({ db }: { db: Db }) {
  const rows = localizersAgainstPeople(db);
  if (rows.length === 0) return null;
  return (
    <div className="flex flex-col gap-2">
      <TableFrame label="Step by step against people">
        <thead>
          <tr>
            <Th>People</Th>
            <Th>Localizer</Th>
            <QualityHeads of="Steps" />
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={`${row.people.id} ${row.localizer.id}`}>
              <Td className="min-w-28">
                <span className="foreign font-medium">
                  {row.people.kind === "person" ? "settled reviews" : visible(row.people.name)}
                </span>
                <span className="block text-2xs text-muted">{plural(row.marked, "step")} called wrong</span>
              </Td>
              <Td className="min-w-28">
                <span className="foreign font-medium">{visible(row.localizer.name)}</span>{" "}
                <span className="foreign text-xs text-muted">{visible(row.localizer.version)}</span>
              </Td>
              <QualityCells of={row} clusters={["trajectory", "trajectories"]} />
            </tr>
          ))}
        </tbody>
      </TableFrame>
      <p className="max-w-[75ch] text-xs text-muted">
        Over the steps both judged. Counts: called wrong by both, by people alone, by the localizer alone, by neither.
        Precision: of what the localizer calls wrong, what people do; recall: of what people call wrong, what it finds.
        Settled reviews say right or wrong of each step they hold; their recall counts the steps drawn at random from
        all, since what was drawn from flagged steps says nothing of those passed over. A data set marks the steps that
        people call wrong and says nothing of the others, which are taken for right here: Who&amp;When marks one step a
        trajectory, so that a step it leaves out may be wrong as well, and precision is at least what is shown.
        Intervals resample trajectories.
      </p>
    </div>
  );
}
