import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { z } from "zod";
import { getDb } from "@/db/client";
import { forkBranch, forkPrefix } from "@/db/queries/fork";
import { getFork } from "@/lib/prefix/fork/open";
import { ForkScreen } from "./fork-screen";

export const metadata: Metadata = { title: "Live terminal" };

const params = z.object({ id: z.coerce.number().int().positive(), fork: z.uuid() });

/** A live fork: a terminal in the state of a prefix, with the commands that may come next beside it. */
export default async function ForkPage(props: PageProps<"/prefixes/[id]/fork/[fork]">) {
  const parsed = params.safeParse(await props.params);
  if (!parsed.success) notFound();
  const { id, fork } = parsed.data;
  const db = getDb();
  const prefix = forkPrefix(db, id);
  if (!prefix) notFound();
  const open = getFork(fork);
  if (open && open.view().prefixId !== id) notFound();
  return <ForkScreen prefix={prefix} forkId={fork} view={open?.view() ?? null} branch={forkBranch(db, fork)} />;
}
