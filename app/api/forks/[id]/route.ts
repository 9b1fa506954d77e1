import { z } from "zod";
import { CallError, reply } from "@/app/api/reply";
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
  return reply(async () => {
    // A form of another site can send text, never JSON: the type is the second lock behind the Origin.
    if (!request.headers.get("content-type")?.startsWith("application/json"))
      throw new CallError(415, "send application/json");
    const fork = getFork((await params).id);
    if (!fork) throw new CallError(404, "this terminal is not open any more");
    const body: unknown = await request.json().catch(() => null);
    const parsed = message.safeParse(body);
    if (!parsed.success) throw new CallError(400, parsed.error.issues[0]?.message ?? "not understood");
    const m = parsed.data;
    if (m.type === "input") fork.type(m.data);
    else if (m.type === "resize") fork.resize({ cols: m.cols, rows: m.rows });
    else await fork.close();
    return { ok: true };
  }, "admin");
}
