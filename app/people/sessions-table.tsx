import { TableFrame, Td, Th } from "@/components/ui/table";
import type { SessionRow } from "@/db/queries/people";
import { formatTime } from "@/lib/text/format";
import { EndSessionButton } from "./buttons";

/** Browser and system out of a User-Agent, as people call them. */
function browserOf(userAgent: string | null): string {
  if (!userAgent) return "not stated";
  const browser = /(Edg|OPR|Firefox|Chrome|Safari)\//.exec(userAgent)?.[1] ?? "another program";
  const system = /(Windows|Android|iPhone|iPad|Mac OS X|Linux)/.exec(userAgent)?.[1];
  const names: Record<string, string> = { Edg: "Edge", OPR: "Opera", "Mac OS X": "macOS" };
  return [browser, system].flatMap((part) => (part ? [names[part] ?? part] : [])).join(" on ");
}

/** Browsers that are signed in, each with a button that signs it out. `mine`: the one that shows this. */
export function SessionsTable({
  rows,
  mine,
  names,
}: {
  rows: SessionRow[];
  mine: string | undefined;
  /** Says whose each is. */
  names?: boolean;
}) {
  return (
    <TableFrame label="Sessions">
      <thead>
        <tr>
          {names ? <Th>Who</Th> : null}
          <Th>Browser</Th>
          <Th>Address</Th>
          <Th>Signed in</Th>
          <Th>Ends</Th>
          <Th>
            <span className="sr-only">Actions</span>
          </Th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id}>
            {names ? <Td className="foreign min-w-32">{row.person}</Td> : null}
            <Td className="min-w-36" title={row.userAgent ?? undefined}>
              {browserOf(row.userAgent)}
              {row.id === mine ? <span className="text-muted"> (this one)</span> : null}
            </Td>
            <Td className="font-mono text-xs">{row.ipAddress ?? "—"}</Td>
            <Td className="whitespace-nowrap">{formatTime(Date.parse(row.createdAt))} UTC</Td>
            <Td className="whitespace-nowrap">{formatTime(Date.parse(row.expiresAt))} UTC</Td>
            <Td className="text-right">
              {row.id === mine ? null : <EndSessionButton id={row.id} whose={names ? row.person : null} />}
            </Td>
          </tr>
        ))}
      </tbody>
    </TableFrame>
  );
}
