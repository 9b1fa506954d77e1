import type { FormatId } from "@/lib/trajectory/types";

/** Agent of the rollouts that Misstep itself makes with a policy. */
export const PROFILE_AGENT = "misstep";

/** Whether the steps of a trajectory were judged as they were proposed, before they ran (paper 3.2): judged again, they are judged the same way. */
export const judgedBeforeRun = ({ format, agent }: { format: FormatId; agent: string | null }): boolean =>
  format === "misstep" && agent === PROFILE_AGENT;
