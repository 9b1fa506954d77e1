import { parametersOf, schemaOf } from "@/app/api/v1/openapi";
import type { Operation } from "@/app/api/v1/operation";
import { TableFrame, Td, Th } from "@/components/ui/table";
import { curl } from "./curl";
import { type Shape, typeOf } from "./shape";

interface Field {
  where: string;
  name: string;
  required: boolean;
  shape: Shape;
  about: string;
  usual: unknown;
}

function fieldsOf(o: Operation, body: Shape | null): Field[] {
  const address = [...parametersOf("path", o.params), ...parametersOf("query", o.query)].map((p): Field => {
    const { default: usual, ...shape } = p.schema;
    return { where: p.in, name: p.name, required: p.required, shape, about: p.description ?? "", usual };
  });
  const inBody = Object.entries(body?.properties ?? {}).map(
    ([name, { description, default: usual, ...shape }]): Field => ({
      where: "body",
      name,
      required: (body?.required ?? []).includes(name),
      shape,
      about: description ?? "",
      usual,
    }),
  );
  return [...address, ...inBody];
}

/** One operation: what it does, who may call it, what it takes, and a call of it. */
export function OperationCard({ operation: o }: { operation: Operation }) {
  const body = o.body ? (schemaOf(o.body) as Shape) : null;
  const fields = fieldsOf(o, body);
  return (
    <article
      id={o.id}
      aria-labelledby={`${o.id}-name`}
      className="flex flex-col gap-2 rounded-lg border bg-surface p-3"
    >
      <h3 id={`${o.id}-name`} className="flex flex-wrap items-baseline gap-x-3 font-mono text-sm">
        <span className="font-semibold">{o.method}</span>
        <span className="break-all">{o.path}</span>
      </h3>
      <p className="text-sm">
        {o.summary}.{" "}
        <span className="text-muted">
          {o.description} Needs the role {o.role}.
        </span>
      </p>
      {fields.length === 0 ? null : (
        <TableFrame label={`What ${o.method} ${o.path} takes`}>
          <thead>
            <tr>
              <Th>Name</Th>
              <Th>In</Th>
              <Th>What</Th>
              <Th>Without it</Th>
            </tr>
          </thead>
          <tbody>
            {fields.map((field) => (
              <tr key={`${field.where} ${field.name}`}>
                <Td className="font-mono text-xs">{field.name}</Td>
                <Td>{field.where}</Td>
                <Td className="min-w-48 whitespace-normal">
                  <span className="font-mono text-xs break-words">{typeOf(field.shape)}</span>
                  {field.about === "" ? null : <span className="block text-muted">{field.about}</span>}
                </Td>
                <Td className="whitespace-normal">
                  {field.usual !== undefined ? (
                    <span className="font-mono text-xs break-words">{JSON.stringify(field.usual)}</span>
                  ) : field.required ? (
                    "refused"
                  ) : (
                    <span className="text-muted">nothing</span>
                  )}
                </Td>
              </tr>
            ))}
          </tbody>
        </TableFrame>
      )}
      <pre className="rounded-md border bg-raised p-2 font-mono text-xs break-words whitespace-pre-wrap">
        {curl(o, body)}
      </pre>
    </article>
  );
}
