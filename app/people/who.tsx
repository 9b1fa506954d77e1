import { AccountLink } from "@/components/shell/account-link";
import { WhoControl } from "@/components/shell/who-control";
import { getDb } from "@/db/client";
import { people } from "@/db/queries/people";
import { accountsOn } from "@/lib/people/accounts/state";
import type { Actor } from "@/lib/people/actor";
import { introduceAction, pickPersonAction } from "./actions";

/** Who is here: leads to one's account, or picks a name where there are no accounts; in the rail, and in a page that needs a name. */
export function Who({ actor, place = "rail" }: { actor: Actor; place?: "rail" | "page" }) {
  const db = getDb();
  if (accountsOn(db)) return <AccountLink actor={actor} />;
  const everybody = people(db);
  return (
    <WhoControl
      actor={actor}
      people={everybody.filter((p) => p.disabledAt === null).map(({ id, name, role }) => ({ id, name, role }))}
      place={place}
      first={everybody.length === 0}
      pick={pickPersonAction}
      introduce={introduceAction}
    />
  );
}
