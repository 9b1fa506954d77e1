import { emptyStep } from "@/lib/trajectory/build";
import { contentOf } from "@/lib/trajectory/text";
import type { Json, Step, Warning } from "@/lib/trajectory/types";
import { isObject, nameAt } from "@/lib/trajectory/value";

/**
 * A conversation of several agents, one step an entry so that labels by index stay right. The person and the code
 * runner are no agents; everybody else is, under the name the file gives.
 */
export function readSpeakers(history: Json[], where: string, warnings: Warning[]): Step[] {
  let turn = 0;
  return history.map((entry, at) => {
    const role = nameAt(entry, "role");
    const name = nameAt(entry, "name");
    const speaker = name ?? role;
    const person = name === null && (role === "human" || role === "user");
    const system = name === null && role === "system";
    const agent = !person && !system && name !== "Computer_terminal";
    const step = emptyStep(agent ? "agent" : system ? "system" : "user", agent ? turn : null);
    if (agent) turn += 1;
    if (!isObject(entry))
      warnings.push({ path: `${where}/${at}`, message: "an entry is no object; kept as its JSON text" });
    step.message = isObject(entry) ? contentOf(entry.content).text : JSON.stringify(entry);
    step.actor = person || system ? null : speaker;
    step.source = [entry];
    return step;
  });
}
