import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import { CallReading, CallStatus, Cost, Tokens } from "@/app/settings/calls/badges";
import { ForeignText } from "@/components/reader/foreign-text";
import { Page } from "@/components/shell/page";
import { TableFrame, Td, Th } from "@/components/ui/table";
import { getDb } from "@/db/client";
import { type CallView, getCall } from "@/db/queries/calls";
import { formatDuration, formatTime, plural, UNKNOWN } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";
import { Messages } from "./messages";

export const dynamic = "force-dynamic";

export async function generateMetadata({ params }: PageProps<"/settings/calls/[id]">): Promise<Metadata> {
  return { title: `Call ${(await params).id}` };
}

/** JSON with white space for people; as it is when it is none. */
function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

export default async function CallPage({ params }: PageProps<"/settings/calls/[id]">) {
  const { id } = await params;
  const call = /^\d{1,15}$/.test(id) ? getCall(getDb(), Number(id)) : undefined;
  if (!call) notFound();
  return (
    <Page
      title={`Call ${call.id}`}
      note={
        <>
          <Link href="/settings/calls" className="text-accent hover:underline">
            Model calls
          </Link>
          {" · "}
          {call.role}
          {call.subject === null ? "" : ` · ${visible(call.subject)}`}
        </>
      }
    >
      <Facts call={call} />
      {call.error === null ? null : (
        <p role="alert" className="foreign rounded-lg border border-bad/60 bg-bad-soft p-3 text-sm text-bad">
          {visible(call.error)}
        </p>
      )}
      {call.repairs.length > 0 ? (
        <section className="flex flex-col gap-1 rounded-lg border bg-surface p-3">
          <h2 className="font-medium">
            {call.reading === "unparsed" ? "Why it could not be read" : "What was mended"}
          </h2>
          <ul className="list-disc pl-5 text-sm">
            {call.repairs.map((repair) => (
              <li key={repair} className="foreign">
                {visible(repair)}
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      {call.tries.length > 0 ? <Tries call={call} /> : null}
      <section className="flex flex-col gap-2">
        <h2 className="font-medium">Request</h2>
        {call.request === null ? (
          <p className="text-sm text-muted">It is not stored.</p>
        ) : (
          <Messages request={call.request} />
        )}
      </section>
      <section className="flex flex-col gap-2">
        <h2 className="font-medium">Raw reply</h2>
        {call.reply === null ? (
          <p className="text-sm text-muted">No whole answer came.</p>
        ) : (
          <ForeignText json={JSON.stringify(readable(call.reply))} label="raw reply" />
        )}
      </section>
    </Page>
  );
}

function Facts({ call }: { call: CallView }) {
  const facts: [string, React.ReactNode][] = [
    ["Status", <CallStatus key="s" status={call.status} />],
    ["Reading", <CallReading key="r" reading={call.reading} />],
    [
      "Model",
      <span key="m" className="foreign">{`${visible(call.model)} at ${visible(call.endpoint ?? UNKNOWN)}`}</span>,
    ],
    [
      "Prompt version",
      <span key="p" className="font-mono text-xs">
        {call.promptVersion ?? UNKNOWN}
      </span>,
    ],
    ["When", `${formatTime(call.createdAt, true)} UTC`],
    [
      "Took",
      call.durationMs === null
        ? UNKNOWN
        : `${formatDuration(call.durationMs)}, ${plural(call.tries.length + (call.fromCache ? 0 : 1), "try", "tries")}`,
    ],
    ["Ended by", call.finish ?? UNKNOWN],
    [
      "Input tokens",
      <span key="i">
        <Tokens n={call.input} />
        {", of them cached "}
        <Tokens n={call.cached} />
      </span>,
    ],
    [
      "Output tokens",
      <span key="o">
        <Tokens n={call.output} />
        {", of them reasoning "}
        <Tokens n={call.reasoning} />
      </span>,
    ],
    [
      "Cost",
      <span key="c">
        <Cost nano={call.costNano} currency={call.currency} fromCache={call.fromCache === 1} />
        {call.price === null ? null : (
          <span className="text-muted">
            {` at ${call.price.input} in, ${call.price.cached ?? call.price.input} cached, ${call.price.output} out per million, in force from ${formatTime(call.price.validFrom)}`}
          </span>
        )}
      </span>,
    ],
    [
      "Job",
      call.jobId === null ? (
        UNKNOWN
      ) : (
        <Link key="j" href={`/jobs/${call.jobId}`} className="text-accent hover:underline">
          {`Job ${call.jobId}`}
        </Link>
      ),
    ],
  ];
  return (
    <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-4 gap-y-1 rounded-lg border bg-surface p-3 text-sm lg:grid-cols-[max-content_minmax(0,1fr)_max-content_minmax(0,1fr)]">
      {facts.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-muted">{name}</dt>
          <dd className="min-w-0">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Tries({ call }: { call: CallView }) {
  const tries = call.tries.map((tried, at) => ({ ...tried, number: at + 1 }));
  return (
    <section className="flex flex-col gap-2">
      <h2 className="font-medium">Tries before the last</h2>
      <TableFrame label="Tries before the last">
        <thead>
          <tr>
            <Th>Try</Th>
            <Th>Began</Th>
            <Th>HTTP status</Th>
            <Th>What happened</Th>
            <Th className="text-right">Waited after it</Th>
          </tr>
        </thead>
        <tbody>
          {tries.map((tried) => (
            <tr key={tried.number}>
              <Td>{tried.number}</Td>
              <Td className="whitespace-nowrap text-muted">{formatTime(tried.at, true)}</Td>
              <Td>{tried.status ?? "no answer"}</Td>
              <Td className="foreign min-w-64">{visible(tried.error)}</Td>
              <Td className="text-right whitespace-nowrap">{formatDuration(tried.waitedMs)}</Td>
            </tr>
          ))}
        </tbody>
      </TableFrame>
    </section>
  );
}
