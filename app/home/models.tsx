import Link from "next/link";
import { ErrorRate, PassedRate } from "@/app/models/rate";
import { UnaidedNote } from "@/app/models/unaided-note";
import { filterOn, listHref } from "@/app/trajectories/search-params";
import { TableFrame, Td, Th } from "@/components/ui/table";
import type { Db } from "@/db/client";
import type { ModelCorpus } from "@/db/queries/misbehaviors";
import { formatCount } from "@/lib/text/format";
import { statedName } from "@/lib/text/glyphs";

const SHOWN = 8;

/** The first models, as `corpusByModel` orders them: the share that passed, and error steps per 100 steps of them. */
export function Models({ db, rows }: { db: Db; rows: ModelCorpus[] }) {
  const first = rows.slice(0, SHOWN);
  return (
    <section className="flex flex-col gap-1">
      <h2 className="font-medium">Models</h2>
      <UnaidedNote db={db} />
      <TableFrame label="Models">
        <thead>
          <tr>
            <Th>Model</Th>
            <Th className="text-right">Trajectories</Th>
            <Th className="text-right">Passed</Th>
            <Th className="text-right">Error steps per 100</Th>
          </tr>
        </thead>
        <tbody>
          {first.map((row) => {
            return (
              <tr key={row.model ?? ""}>
                <Td className="foreign min-w-40">
                  <Link
                    href={listHref({ model: filterOn(row.model) })}
                    prefetch={false}
                    className="text-accent hover:underline"
                  >
                    {row.model === null ? "not stated" : statedName(row.model)}
                  </Link>
                </Td>
                <Td className="text-right">{formatCount(row.trajectories)}</Td>
                <Td className="text-right whitespace-nowrap">
                  <PassedRate model={row.model} {...row.unaided} />
                </Td>
                <Td className="text-right whitespace-nowrap">
                  <ErrorRate model={row.model} {...row.unaided} />
                </Td>
              </tr>
            );
          })}
        </tbody>
      </TableFrame>
      {rows.length > SHOWN ? (
        <Link href="/models" className="text-sm text-accent hover:underline">
          All models
        </Link>
      ) : null}
    </section>
  );
}
