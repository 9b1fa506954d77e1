"use client";
import {
  ChevronDown,
  ChevronUp,
  FoldVertical,
  Keyboard,
  MessageSquareDashed,
  Search,
  TriangleAlert,
  UnfoldVertical,
  WrapText,
} from "lucide-react";
import { useState } from "react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/field";
import { Popover, PopoverClose, PopoverContent, PopoverTrigger } from "@/components/ui/popover";
import { Term } from "@/components/ui/term";
import type { Flag } from "@/db/queries/reader-flags";
import { formatCount } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";
import type { Detail } from "./context";
import { WALK_LABELS, WALKS, type Walk } from "./walk";

interface Props {
  steps: number;
  /** Step number where reading stands; null before the first. */
  current: number | null;
  flags: Flag[];
  thinking: boolean;
  wrap: boolean;
  raw: boolean;
  /** How steps are walked; null where none was rejected. */
  walk: Walk | null;
  onWalk: (walk: Walk) => void;
  onGoTo: (number: number) => void;
  onStep: (by: 1 | -1) => void;
  onEntry: (entry: number) => void;
  onDetail: (detail: Detail) => void;
  onThinking: () => void;
  onWrap: () => void;
  onRaw: () => void;
  onFind: () => void;
  onHelp: () => void;
}

/** What acts on the whole scroll. */
export function Toolbar(props: Props) {
  const { thinking, wrap, raw } = props;
  return (
    <div
      role="toolbar"
      aria-label="Reader"
      className="flex flex-wrap items-center gap-x-1 border-b bg-surface px-2 py-1"
    >
      <StepBox {...props} />
      <FlagList flags={props.flags} onEntry={props.onEntry} />
      <Term name="error step" />
      {props.walk === null ? null : (
        <>
          <WalkChoice walk={props.walk} onWalk={props.onWalk} />
          <Term name="correction" />
        </>
      )}
      <span className="flex-1" />
      <Button size="sm" variant="ghost" onClick={props.onFind} title="Find ( / )">
        <Search aria-hidden /> Find
      </Button>
      <Button
        size="sm"
        variant="ghost"
        aria-pressed={!thinking}
        onClick={props.onThinking}
        title={thinking ? "Hide all thinking" : "Show thinking"}
      >
        <MessageSquareDashed aria-hidden />{" "}
        <span className="max-sm:sr-only">{thinking ? "Hide thinking" : "Show thinking"}</span>
      </Button>
      <Button
        size="sm"
        variant="ghost"
        aria-pressed={raw}
        onClick={props.onRaw}
        title="Show outputs with their control characters"
      >
        Raw
      </Button>
      <Button
        size="icon-sm"
        variant="ghost"
        aria-pressed={wrap}
        onClick={props.onWrap}
        aria-label="Wrap lines"
        title="Wrap lines"
      >
        <WrapText aria-hidden />
      </Button>
      <Button
        size="icon-sm"
        variant="ghost"
        onClick={() => props.onDetail("line")}
        aria-label="Collapse all"
        title="Collapse all entries to a line"
      >
        <FoldVertical aria-hidden />
      </Button>
      <Button
        size="icon-sm"
        variant="ghost"
        onClick={() => props.onDetail("folded")}
        aria-label="Fold long outputs"
        title="Show all entries, long outputs folded"
      >
        <ChevronDown aria-hidden />
      </Button>
      <Button
        size="icon-sm"
        variant="ghost"
        onClick={() => props.onDetail("whole")}
        aria-label="Expand all"
        title="Expand all, long outputs too"
      >
        <UnfoldVertical aria-hidden />
      </Button>
      <Button size="icon-sm" variant="ghost" onClick={props.onHelp} aria-label="Keys" title="Keys ( ? )">
        <Keyboard aria-hidden />
      </Button>
    </div>
  );
}

const WALK_TITLES: Record<Walk, string> = {
  both: "Rejected steps and their corrections",
  accepted: "What ran: corrections instead of rejected steps",
  proposed: "What the policy wrote: rejected steps, no corrections",
};

function WalkChoice({ walk, onWalk }: { walk: Walk; onWalk: (walk: Walk) => void }) {
  return (
    <fieldset className="flex shrink-0 items-center gap-0.5 rounded-md border px-0.5">
      <legend className="sr-only">Steps to read</legend>
      {WALKS.map((one) => (
        <Button
          key={one}
          size="sm"
          variant="ghost"
          className="h-6"
          aria-pressed={walk === one}
          title={`${WALK_TITLES[one]} ( w )`}
          onClick={() => onWalk(one)}
        >
          {WALK_LABELS[one]}
        </Button>
      ))}
    </fieldset>
  );
}

function StepBox({ steps, current, onGoTo, onStep }: Props) {
  const [text, setText] = useState<string | null>(null);
  return (
    <form
      className="flex shrink-0 items-center gap-1 text-xs text-muted"
      onSubmit={(event) => {
        event.preventDefault();
        const number = Number(text);
        if (Number.isInteger(number) && number > 0) onGoTo(number);
        setText(null);
      }}
    >
      <Button
        size="icon-sm"
        variant="ghost"
        aria-label="Previous step"
        title="Previous step ( k )"
        onClick={() => onStep(-1)}
      >
        <ChevronUp aria-hidden />
      </Button>
      <Button size="icon-sm" variant="ghost" aria-label="Next step" title="Next step ( j )" onClick={() => onStep(1)}>
        <ChevronDown aria-hidden />
      </Button>
      <span className="flex items-center gap-1">
        Step
        <Input
          inputMode="numeric"
          className="h-7 w-14 text-right tabular-nums"
          aria-label="Go to step"
          value={text ?? (current === null ? "" : String(current))}
          onFocus={(event) => event.target.select()}
          onChange={(event) => setText(event.target.value.replace(/\D/g, ""))}
          onBlur={() => setText(null)}
        />
      </span>
      <span className="whitespace-nowrap">{steps === 0 ? "of none" : `of ${formatCount(steps)}`}</span>
    </form>
  );
}

function FlagList({ flags, onEntry }: { flags: Flag[]; onEntry: (entry: number) => void }) {
  const active = flags.filter((flag) => flag.active);
  if (active.length === 0) return <span className="shrink-0 px-2 text-xs text-muted">no flagged step</span>;
  return (
    <Popover>
      <PopoverTrigger asChild>
        <Button size="sm" variant="ghost" className="text-bad hover:text-bad">
          <TriangleAlert aria-hidden /> {formatCount(active.length)} flagged
          <ChevronDown aria-hidden />
        </Button>
      </PopoverTrigger>
      <PopoverContent className="w-96 p-1" aria-label="Flagged steps">
        <ul>
          {active.map((flag) => (
            <li key={flag.entry}>
              <PopoverClose asChild>
                <button
                  type="button"
                  className="flex w-full flex-col items-start gap-0.5 rounded px-2 py-1 text-left hover:bg-accent-soft"
                  onClick={() => onEntry(flag.entry)}
                >
                  <span className="flex flex-wrap items-center gap-1.5">
                    <span className="font-medium">
                      {flag.number === null ? `Entry ${flag.entry}` : `Step ${formatCount(flag.number)}`}
                    </span>
                    {flag.labels.map((label) => (
                      <Badge key={label.id} tone="bad">
                        {visible(label.name)}
                      </Badge>
                    ))}
                  </span>
                  <span className="foreign line-clamp-2 text-xs text-muted">
                    {visible(flag.reasons[0]?.reason ?? "No reason is given.")}
                  </span>
                </button>
              </PopoverClose>
            </li>
          ))}
        </ul>
      </PopoverContent>
    </Popover>
  );
}
