import "server-only";
import type { Db } from "@/db/client";
import { statement } from "@/db/statement";
import type { ChatOptions } from "./policy";

/** What is known of a policy behind an endpoint. Neither address nor key. */
export interface EndpointCard {
  model: string;
  dialect: string;
  /** What the server calls it, and the endpoint's protocol, as the settings say; null: not known. */
  modelId: string | null;
  endpointKind: string | null;
}

/**
 * Row of `checkpoint` for a chat policy, made on first use. Another dialect, or another model under the same name, is
 * another policy: it gets a row and a name of its own.
 */
export function registerEndpointPolicy(
  db: Db,
  { model, dialect }: Pick<ChatOptions, "model" | "dialect">,
  about: Pick<EndpointCard, "modelId" | "endpointKind"> = { modelId: null, endpointKind: null },
): number {
  const card: EndpointCard = { model, dialect, ...about };
  const written = JSON.stringify(card);
  const base = dialect === "tools" ? model : `${model} (${dialect})`;
  const find = statement(db, "select id, kind, card from checkpoint where name = ?");
  for (let n = 1; ; n++) {
    const name = n === 1 ? base : `${base} #${n}`;
    const row = find.get(name) as { id: number; kind: string; card: string } | undefined;
    if (!row)
      return Number(
        statement(db, "insert into checkpoint (name, kind, card) values (?, 'endpoint', ?)").run(name, written)
          .lastInsertRowid,
      );
    if (row.kind === "endpoint" && row.card === written) return row.id;
  }
}
