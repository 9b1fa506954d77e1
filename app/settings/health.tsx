import { Check, CircleAlert, CircleMinus, CircleX } from "lucide-react";
import { TableFrame, Td, Th } from "@/components/ui/table";
import { getDb } from "@/db/client";
import { doctorAside } from "@/lib/jobs/doctorAside";

const LEVEL = {
  ok: { icon: Check, className: "text-good", text: "works" },
  warn: { icon: CircleAlert, className: "text-warn", text: "look at this" },
  fail: { icon: CircleX, className: "text-bad", text: "does not work" },
  off: { icon: CircleMinus, className: "text-muted", text: "not here" },
};

/** Whether everything works. Reading the whole index takes a second or two where it is large: the rest of the page does not wait. */
export async function Health() {
  const checks = await doctorAside(getDb());
  return (
    <TableFrame label="Health">
      <thead>
        <tr>
          <Th>What</Th>
          <Th>State</Th>
          <Th>Detail</Th>
        </tr>
      </thead>
      <tbody>
        {checks.map((check) => {
          const { icon: Icon, className, text } = LEVEL[check.level];
          return (
            <tr key={check.name}>
              <Td>{check.name}</Td>
              <Td className={className}>
                <span className="flex items-center gap-1.5 whitespace-nowrap">
                  <Icon aria-hidden className="size-4" /> {text}
                </span>
              </Td>
              <Td className="foreign">
                {check.detail}
                {check.fix ? <span className="block text-muted">{check.fix}</span> : null}
              </Td>
            </tr>
          );
        })}
      </tbody>
    </TableFrame>
  );
}
