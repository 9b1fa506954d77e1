import { Cpu, FileInput, Globe, ScrollText } from "lucide-react";
import { Badge } from "@/components/ui/badge";

const KINDS = {
  embedded: { tone: "accent", Icon: Cpu, title: "Runs here, without a model server" },
  endpoint: { tone: "neutral", Icon: Globe, title: "Answers over the network" },
  scripted: { tone: "neutral", Icon: ScrollText, title: "A written program, for trials: nothing is learned" },
  imported: { tone: "neutral", Icon: FileInput, title: "Known by name from imported trajectories" },
} as const;

/** Where a checkpoint is. */
export function KindBadge({ kind }: { kind: string }) {
  const { tone, Icon, title } = KINDS[kind as keyof typeof KINDS] ?? {
    tone: "neutral",
    Icon: FileInput,
    title: undefined,
  };
  return (
    <Badge tone={tone} title={title}>
      <Icon aria-hidden />
      {kind}
    </Badge>
  );
}
