import { Gavel } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { modelChoices } from "@/app/profiles/policies";
import { Page } from "@/components/shell/page";
import { Button } from "@/components/ui/button";
import { StateMessage } from "@/components/ui/state";
import { Term } from "@/components/ui/term";
import { getDb } from "@/db/client";
import { listLocalizers } from "@/db/queries/localizers";
import { Agreement } from "./agreement";
import { LocalizeForm } from "./localize-form";
import { LocalizerTable } from "./localizer-table";
import { PairPicker } from "./pair-picker";
import { AgainstPeople } from "./people";
import { Scores } from "./scores";
import { loadLocalizerParams } from "./search-params";

export const metadata: Metadata = { title: "Localizers" };
export const dynamic = "force-dynamic";

export default async function LocalizersPage({ searchParams }: PageProps<"/localizers">) {
  const params = await loadLocalizerParams(searchParams);
  const db = getDb();
  const rows = listLocalizers(db);
  const judges = rows.filter((row) => row.judged !== null);
  const first = judges.find((row) => row.id === params.a) ?? judges[0];
  const second =
    judges.find((row) => row.id === params.b && row.id !== first?.id) ?? judges.find((row) => row !== first);
  return (
    <Page
      title="Localizers"
      term="localizer"
      note="Who calls a step wrong: rules, models and people side by side, over the same steps"
    >
      {rows.length === 0 ? (
        <StateMessage
          icon={<Gavel aria-hidden />}
          title="Nothing was judged yet"
          actions={
            <Button asChild>
              <Link href="/import">Import trajectories</Link>
            </Button>
          }
        >
          The rules judge every trajectory as it is imported.
        </StateMessage>
      ) : (
        <LocalizerTable rows={rows} />
      )}
      <section
        aria-labelledby="start"
        id="start-localize"
        className="flex flex-col gap-2 rounded-lg border bg-surface p-3"
      >
        <h2 id="start" className="font-semibold">
          Let a model judge
        </h2>
        <LocalizeForm {...modelChoices()} trajectory={params.trajectory} />
      </section>
      <section aria-labelledby="people" className="flex flex-col gap-2">
        <div className="flex items-center gap-1">
          <h2 id="people" className="font-semibold">
            Against labels by people
          </h2>
          <Term name="label" />
        </div>
        <AgainstPeople db={db} />
        <Scores db={db} judges={judges.filter((row) => row.kind !== "person")} />
      </section>
      <section aria-labelledby="agreement" className="flex flex-col gap-2">
        <h2 id="agreement" className="font-semibold">
          Agreement
        </h2>
        {first && second ? (
          <>
            <PairPicker
              judges={judges.map(({ id, name, version }) => ({ id, label: `${name} ${version}` }))}
              a={first.id}
              b={second.id}
            />
            <Agreement db={db} first={first} second={second} after={params.after} />
          </>
        ) : (
          <p className="text-sm text-muted">Two localizers are needed: let a model judge some trajectories above.</p>
        )}
      </section>
    </Page>
  );
}
