import Link from "next/link";
import { TableFrame, Td, Th } from "@/components/ui/table";
import type { TokenRow } from "@/db/queries/tokens";
import type { Role } from "@/lib/people/actor";
import { formatTime } from "@/lib/text/format";
import { MakeToken, RevokeToken } from "./tokens";

/** One's tokens of the HTTP API, each with a button that ends it. */
export function Tokens({ rows, most, now }: { rows: TokenRow[]; most: Role; now: number }) {
  return (
    <section className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-3">
        <h2 className="font-medium">Tokens</h2>
        <MakeToken most={most} />
      </div>
      <p className="text-sm text-muted">
        A program that sends one calls the{" "}
        <Link href="/api-docs" className="text-accent underline">
          HTTP API
        </Link>{" "}
        as you.
      </p>
      {rows.length === 0 ? null : (
        <TableFrame label="Tokens">
          <thead>
            <tr>
              <Th>What it is for</Th>
              <Th>Role</Th>
              <Th>Made</Th>
              <Th>Works until</Th>
              <Th>Last used</Th>
              <Th>
                <span className="sr-only">Actions</span>
              </Th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.id}>
                <Td className="foreign min-w-36">{row.name}</Td>
                <Td>{row.role}</Td>
                <Td className="whitespace-nowrap">{formatTime(row.createdAt)} UTC</Td>
                <Td className="whitespace-nowrap">
                  {row.expiresAt === null
                    ? "it is revoked"
                    : `${formatTime(row.expiresAt)} UTC${row.expiresAt <= now ? " (too old)" : ""}`}
                </Td>
                <Td className="whitespace-nowrap">
                  {row.lastUsedAt === null ? "never" : `${formatTime(row.lastUsedAt)} UTC`}
                </Td>
                <Td className="text-right">
                  <RevokeToken id={row.id} name={row.name} />
                </Td>
              </tr>
            ))}
          </tbody>
        </TableFrame>
      )}
    </section>
  );
}
