import { Badge } from "@/components/ui/badge";

const MODES: Record<string, { name: string; title: string }> = {
  profile: { name: "corrected", title: "Flagged steps are stopped and corrected by the teacher before anything runs" },
  plain: { name: "plain", title: "Nobody interferes: flagged steps run" },
  catch: { name: "catch trial", title: "Errors are injected at known steps and run: what does the localizer find?" },
};

/** How a profile was made. */
export function ModeBadge({ mode }: { mode: string }) {
  const known = MODES[mode];
  return <Badge title={known?.title}>{known?.name ?? mode}</Badge>;
}
