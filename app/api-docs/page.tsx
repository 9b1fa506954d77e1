import type { Metadata } from "next";
import Link from "next/link";
import { TAGS, type Tag } from "@/app/api/v1/operation";
import { OPERATIONS } from "@/app/api/v1/registry";
import { Page } from "@/components/shell/page";
import { getDb } from "@/db/client";
import { accountsOn } from "@/lib/people/accounts/state";
import { OperationCard } from "./operation-card";

export const metadata: Metadata = { title: "HTTP API" };
export const dynamic = "force-dynamic";

/** The operations of the HTTP API as people read them; made from what openapi.json is made from. */
export default function ApiDocsPage() {
  const tags = Object.entries(TAGS) as [Tag, string][];
  return (
    <Page
      title="HTTP API"
      note={`${OPERATIONS.length} operations below /api/v1: what the command line does`}
      actions={
        <a href="/api/v1/openapi.json" className="text-sm text-accent underline">
          OpenAPI 3.1 (JSON)
        </a>
      }
    >
      <section className="flex max-w-[80ch] flex-col gap-2 text-sm">
        <p>
          {accountsOn(getDb()) ? (
            <>
              A program sends a token, made under{" "}
              <Link href="/account" className="text-accent underline">
                Your account
              </Link>{" "}
              or with <code className="font-mono text-xs">misstep people token create</code>. It acts as its owner, with
              the token’s role at most.
            </>
          ) : (
            "Nobody signs in here, so calls from this machine need no token: leave the header Authorization out."
          )}
        </p>
        <p>
          In the calls below <code className="font-mono text-xs">MISSTEP</code> is this server’s address, such as
          http://127.0.0.1:3737. Every answer is JSON; what is no success has{" "}
          <code className="font-mono text-xs">{"{ error: { code, message, issues? } }"}</code>. Lists give{" "}
          <code className="font-mono text-xs">next</code>, to be sent as{" "}
          <code className="font-mono text-xs">after</code> or <code className="font-mono text-xs">before</code>. What
          takes long is queued: follow its <code className="font-mono text-xs">jobId</code>.
        </p>
      </section>
      {tags.map(([tag, name]) => (
        <section key={tag} className="flex flex-col gap-3">
          <h2 className="font-medium">{name}</h2>
          {OPERATIONS.filter((o) => o.tag === tag).map((o) => (
            <OperationCard key={o.id} operation={o} />
          ))}
        </section>
      ))}
    </Page>
  );
}
