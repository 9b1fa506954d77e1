import fs from "node:fs";
import path from "node:path";
import { reply } from "@/app/api/reply";
import { projectRoot } from "@/db/home";

export const dynamic = "force-dynamic";

/** docs/clusters.md of this installation, as plain text. */
export async function GET() {
  return reply(() => {
    const file = path.join(projectRoot(), "docs/clusters.md");
    if (!fs.existsSync(file))
      return new Response("docs/clusters.md is not part of this installation.\n", { status: 404 });
    return new Response(fs.readFileSync(file, "utf8"), { headers: { "content-type": "text/plain; charset=utf-8" } });
  });
}
