import Link from "next/link";
import { filterOn, listHref } from "@/app/trajectories/search-params";
import { TableFrame, Td, Th } from "@/components/ui/table";
import type { CheckpointMisbehavior, CheckpointRow } from "@/db/queries/checkpoints";
import { formatCount, formatShare } from "@/lib/text/format";

function Count({ n, of, href }: { n: number; of: number; href: string }) {
  return (
    <>
      {n > 0 ? (
        <Link href={href} prefetch={false} className="text-accent hover:underline">
          {formatCount(n)}
        </Link>
      ) : (
        <span className="text-muted">0</span>
      )}{" "}
      <span className="text-xs text-muted">
        of {formatCount(of)}, {formatShare(n, of)}
      </span>
    </>
  );
}

/** What goes wrong in a checkpoint's trajectories, by misbehavior. */
export function Misbehaviors({
  model,
  rows,
  unlabelled,
}: {
  model: CheckpointRow;
  rows: CheckpointMisbehavior[];
  unlabelled: number;
}) {
  const at = (misbehavior: string) => listHref({ model: filterOn(model.name), misbehavior });
  return (
    <TableFrame label="Misbehaviors">
      <thead>
        <tr>
          <Th>Misbehavior</Th>
          <Th className="text-right">Error steps</Th>
          <Th className="text-right">Trajectories with it</Th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.slug}>
            <Td>
              <Link href={`/misbehaviors/${row.slug}`} className="hover:underline">
                {row.name}
              </Link>
            </Td>
            <Td className="text-right whitespace-nowrap">
              <Count n={row.errorSteps} of={model.errorSteps} href={at(row.slug)} />
            </Td>
            <Td className="text-right whitespace-nowrap">
              <Count n={row.trajectories} of={model.trajectories} href={at(row.slug)} />
            </Td>
          </tr>
        ))}
        <tr>
          <Td className="text-muted">none of these</Td>
          <Td className="text-right whitespace-nowrap">
            <Count n={unlabelled} of={model.errorSteps} href={at("unlabelled")} />
          </Td>
          <Td />
        </tr>
      </tbody>
    </TableFrame>
  );
}
