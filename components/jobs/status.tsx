import { Ban, Check, CircleAlert, CircleX, Clock, LoaderCircle, type LucideIcon, Pause } from "lucide-react";
import { Badge } from "@/components/ui/badge";
import type { JobStatus } from "@/db/schema/jobs";

const LOOK: Record<
  JobStatus,
  { tone: "neutral" | "accent" | "good" | "warn" | "bad"; icon: LucideIcon; text: string }
> = {
  queued: { tone: "neutral", icon: Clock, text: "queued" },
  running: { tone: "accent", icon: LoaderCircle, text: "running" },
  done: { tone: "good", icon: Check, text: "done" },
  partial: { tone: "warn", icon: CircleAlert, text: "part failed" },
  failed: { tone: "bad", icon: CircleX, text: "failed" },
  cancelled: { tone: "neutral", icon: Ban, text: "cancelled" },
  paused: { tone: "warn", icon: Pause, text: "paused" },
};

/** State of a job by colour, icon and word. */
export function JobStatusBadge({
  status,
  cancelling,
  pausing,
}: {
  status: JobStatus;
  cancelling?: boolean;
  pausing?: boolean;
}) {
  const { tone, icon: Icon, text } = LOOK[status];
  return (
    <Badge tone={tone}>
      <Icon aria-hidden className={status === "running" ? "animate-spin" : undefined} />
      {status === "running" && cancelling ? "stopping" : status === "running" && pausing ? "pausing" : text}
    </Badge>
  );
}
