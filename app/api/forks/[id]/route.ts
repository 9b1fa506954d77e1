import { z } from "zod";
import { INPUT_BYTES } from "@/lib/prefix/fork/fork";
import { getFork } from "@/lib/prefix/fork/open";

export const dynamic = "force-dynamic";

const message = z.discriminatedUnion("type", [
  z.object({ type: z.literal("input"), data: z.string().max(INPUT_BYTES) }),
  z.object({
    type: z.literal("resize"),
    cols: z.number().int().min(20).max(500),
    rows: z.number().int().min(5).max(300),
  }),
  z.object({ type: z.literal("close") }),
]);

/** What a person does in a terminal: types, changes its size, closes it. The server's guard has checked Host and Origin. */
export async function POST(request: Request, { params }: { params: Promise<{ id: string }> }) {
  // A form of another site can send text, never JSON: the type is the second lock behind the Origin.
  if (!request.headers.get("content-type")?.startsWith("application/json"))
    return Response.json({ error: "send application/json" }, { status: 415 });
  const fork = getFork((await params).id);
  if (!fork) return Response.json({ error: "this terminal is not open any more" }, { status: 404 });
  const body: unknown = await request.json().catch(() => null);
  const parsed = message.safeParse(body);
  if (!parsed.success)
    return Response.json({ error: parsed.error.issues[0]?.message ?? "not understood" }, { status: 400 });
  const m = parsed.data;
  if (m.type === "input") fork.type(m.data);
  else if (m.type === "resize") fork.resize({ cols: m.cols, rows: m.rows });
  else await fork.close();
  return Response.json({ ok: true });
}
