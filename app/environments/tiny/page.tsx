import type { Metadata } from "next";
import Link from "next/link";
import { environmentsHref } from "@/app/environments/search-params";
import { Page } from "@/components/shell/page";
import { Button } from "@/components/ui/button";
import { FAMILIES, generate, SUITE_VERSION } from "@/lib/environment/suite/generate";
import { canOccur } from "@/lib/environment/suite/wrong";
import { Example } from "./example";
import { FamilyTable } from "./family-table";
import { loadTinyParams } from "./search-params";
import { SeedField } from "./seed-field";

export const metadata: Metadata = { title: "Tiny suite" };
export const dynamic = "force-dynamic";

// The same for every request: drawn once.
let shows: ReadonlyMap<string, ReadonlySet<string>> | undefined;
function shown() {
  shows ??= new Map(FAMILIES.map((one) => [one.name, new Set(canOccur(one))]));
  return shows;
}

export default async function TinySuitePage({ searchParams }: PageProps<"/environments/tiny">) {
  const params = await loadTinyParams(searchParams);
  const family = FAMILIES.find((one) => one.name === params.family) ?? FAMILIES[0];
  if (!family) throw new Error("the suite has no families");
  const seed = Number.isSafeInteger(params.seed) && params.seed >= 0 ? params.seed : 0;
  const generated = generate(family.name, seed);
  return (
    <Page
      title="Tiny suite"
      note={`${FAMILIES.length} families of generated environments, version ${SUITE_VERSION}: a family and a seed give the same files everywhere`}
      actions={
        <>
          <Button asChild>
            <Link href={environmentsHref({ q: "tiny-" })}>Those in the index</Link>
          </Button>
          <Button asChild variant="primary">
            <Link href="/profiles">Start a profile</Link>
          </Button>
        </>
      }
    >
      {params.family !== "" && params.family !== family.name ? (
        <p role="alert" className="foreign text-sm text-warn">
          The suite has no family of that name; {family.name} is shown.
        </p>
      ) : null}
      <FamilyTable families={FAMILIES} shows={shown()} chosen={family.name} seed={seed} />
      <section aria-labelledby="example" className="flex flex-col gap-3 pt-2">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <h2 id="example" className="text-base font-semibold">
            {generated.name}
          </h2>
          <SeedField seed={seed} />
          <code className="font-mono text-xs text-muted">
            misstep suite --family {family.name} --seeds {seed} --out FOLDER
          </code>
        </div>
        <Example family={family} generated={generated} />
      </section>
    </Page>
  );
}
