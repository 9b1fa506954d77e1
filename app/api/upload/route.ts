import { CallError, reply } from "@/app/api/reply";
import { storeUpload, uploadPlace } from "./store";

export const dynamic = "force-dynamic";

/** Stores one dropped file below uploads/<batch>/. Answers with the folder, which is then imported like any other. */
export async function POST(request: Request) {
  return reply(async () => {
    const parsed = uploadPlace.safeParse(Object.fromEntries(new URL(request.url).searchParams));
    if (!parsed.success) throw new CallError(400, parsed.error.issues[0]?.message ?? "bad request");
    return storeUpload(request, parsed.data);
  }, "admin");
}
