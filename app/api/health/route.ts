import { getDb } from "@/db/client";

export const dynamic = "force-dynamic";

/** 200 when the server answers and the index can be read. */
export function GET() {
  getDb().$client.prepare("select 1 from study limit 1").get();
  return Response.json({ ok: true });
}
