import { callerOf } from "@/app/api/v1/caller";
import { dispatch } from "@/app/api/v1/dispatch";
import { failed } from "@/app/api/v1/refusals";
import { getDb } from "@/db/client";

export const dynamic = "force-dynamic";

type Context = RouteContext<"/api/v1/[...path]">;

async function answer(request: Request, { params }: Context): Promise<Response> {
  const db = getDb();
  const { path } = await params;
  try {
    return await dispatch(db, path, request, () => callerOf(db, request));
  } catch (error) {
    // Into the server's log; the caller is told that it is our fault, and nothing of the inside.
    console.error(`${request.method} /api/v1/${path.join("/")}`, error);
    return failed(500, "Something went wrong inside Misstep; its log says what.");
  }
}

export const GET = answer;
export const POST = answer;
// No operation has these: answered all the same, with what the path takes.
export const PUT = answer;
export const PATCH = answer;
export const DELETE = answer;
