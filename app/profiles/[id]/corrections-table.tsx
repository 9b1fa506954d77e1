import { TableFrame, Td, Th } from "@/components/ui/table";
import { Term } from "@/components/ui/term";
import type { ProfileSummary } from "@/db/queries/profiles";
import { formatCount, formatShare } from "@/lib/text/format";

const ORDINALS = ["first", "second", "third"];
const ordinal = (n: number): string => `${ORDINALS[n - 1] ?? `${n}th`} try`;

/** At which try of the teacher an error step got a correction that ran. */
export function CorrectionsTable({ profile }: { profile: ProfileSummary }) {
  const rows = [
    ...profile.accepted.map(({ attempt, corrections }) => ({
      name: `Accepted at the ${ordinal(attempt)}`,
      n: corrections,
    })),
    { name: "No try accepted: discarded", n: profile.uncorrected },
  ];
  const of = rows.reduce((sum, row) => sum + row.n, 0);
  return (
    <section className="flex flex-col gap-1">
      <h2 className="font-medium">
        Corrections <Term name="correction" />
      </h2>
      {of === 0 ? (
        <p className="text-sm text-muted">No step needed one yet.</p>
      ) : (
        <TableFrame label="Corrections">
          <thead>
            <tr>
              <Th>What became of error steps</Th>
              <Th className="text-right">Error steps</Th>
              <Th className="text-right">Of {formatCount(of)}</Th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.name}>
                <Td>{row.name}</Td>
                <Td className="text-right">{formatCount(row.n)}</Td>
                <Td className="text-right">{formatShare(row.n, of)}</Td>
              </tr>
            ))}
          </tbody>
        </TableFrame>
      )}
      {profile.unjudged > 0 ? (
        <p className="text-sm text-warn">
          On {formatCount(profile.unjudged)} steps the localizer gave no verdict; they count as neither right nor wrong.
        </p>
      ) : null}
    </section>
  );
}

/** Why rollouts are void. */
export function Voids({ voids }: { voids: ProfileSummary["voids"] }) {
  if (voids.length === 0) return null;
  return (
    <section className="flex flex-col gap-1">
      <h2 className="font-medium">Void rollouts</h2>
      <TableFrame label="Void rollouts">
        <thead>
          <tr>
            <Th>Reason</Th>
            <Th className="text-right">Rollouts</Th>
          </tr>
        </thead>
        <tbody>
          {voids.map(({ reason, rollouts }) => (
            <tr key={reason}>
              <Td className="foreign">{reason}</Td>
              <Td className="text-right">{formatCount(rollouts)}</Td>
            </tr>
          ))}
        </tbody>
      </TableFrame>
    </section>
  );
}
