import { currentActor } from "@/app/actor";
import { WhoControl } from "@/components/shell/who-control";
import { getDb } from "@/db/client";
import { people } from "@/db/queries/people";
import { introduceAction, pickPersonAction } from "./actions";

/** Who is here, in the rail: picks a name where there are no accounts. */
export async function Who() {
  const actor = await currentActor();
  const everybody = people(getDb());
  return (
    <WhoControl
      actor={actor}
      people={everybody.filter((p) => p.disabledAt === null).map(({ id, name, role }) => ({ id, name, role }))}
      first={everybody.length === 0}
      pick={pickPersonAction}
      introduce={introduceAction}
    />
  );
}
