import { z } from "zod";
import { ForeignText } from "@/components/reader/foreign-text";

const requestSchema = z.object({
  kind: z.string(),
  baseUrl: z.string(),
  model: z.string(),
  request: z.looseObject({
    messages: z.array(
      z.object({
        role: z.string(),
        content: z.string(),
        thinking: z.string().optional(),
        callId: z.string().optional(),
        calls: z.array(z.object({ id: z.string(), name: z.string(), arguments: z.string() })).optional(),
      }),
    ),
  }),
});

const NAMES: Record<string, string> = {
  system: "System",
  user: "User",
  assistant: "Assistant",
  tool: "Tool result",
};
/** Long chats show their end; what came before is one press away. */
const SHOWN = 4;

type Message = z.infer<typeof requestSchema>["request"]["messages"][number];

function One({ message, number }: { message: Message; number: number }) {
  const name = NAMES[message.role] ?? message.role;
  return (
    <li className="flex flex-col gap-1">
      <h3 className="text-sm text-muted">{`${number}. ${name}`}</h3>
      {message.thinking ? (
        <ForeignText json={JSON.stringify(message.thinking)} label={`thinking of message ${number}`} />
      ) : null}
      {message.content || !message.calls?.length ? (
        <ForeignText json={JSON.stringify(message.content)} label={`message ${number}`} />
      ) : null}
      {(message.calls ?? []).map((call) => (
        <ForeignText
          key={call.id}
          json={JSON.stringify(`${call.name} ${call.arguments}`)}
          label={`call ${call.id} of message ${number}`}
        />
      ))}
    </li>
  );
}

/** A stored request: its messages to read, and the rest of what decided the reply. */
export function Messages({ request }: { request: string }) {
  const read = requestSchema.safeParse(JSON.parse(request));
  if (!read.success) return <ForeignText json={JSON.stringify(request)} label="request" />;
  const { request: whole, ...place } = read.data;
  const { messages, ...settings } = whole;
  const numbered = messages.map((message, at) => ({ message, number: at + 1 }));
  const first = numbered.slice(0, Math.max(0, numbered.length - SHOWN));
  const last = numbered.slice(first.length);
  return (
    <>
      {first.length > 0 ? (
        <details>
          <summary className="cursor-pointer text-sm text-muted">{`${first.length} earlier messages`}</summary>
          <ol className="mt-2 flex flex-col gap-3">
            {first.map((one) => (
              <One key={one.number} {...one} />
            ))}
          </ol>
        </details>
      ) : null}
      <ol className="flex flex-col gap-3">
        {last.map((one) => (
          <One key={one.number} {...one} />
        ))}
      </ol>
      <details>
        <summary className="cursor-pointer text-sm text-muted">Sampling, tools and address</summary>
        <div className="mt-2">
          <ForeignText json={JSON.stringify(JSON.stringify({ ...place, ...settings }, null, 2))} label="settings" />
        </div>
      </details>
    </>
  );
}
