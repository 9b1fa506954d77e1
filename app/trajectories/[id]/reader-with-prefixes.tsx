"use client";
import { LoaderCircle, Milestone, RotateCcw } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { type ComponentProps, useCallback, useState, useTransition } from "react";
import { rerunToHereAction } from "@/app/prefixes/actions";
import { Reader } from "@/components/reader/reader";
import type { EntryView } from "@/components/reader/types";
import { Button } from "@/components/ui/button";
import type { PrefixOfStep } from "@/db/queries/prefixes";

type Props = Omit<ComponentProps<typeof Reader>, "actions"> & {
  /** Prefixes by the entry they end before. */
  prefixes: Record<number, PrefixOfStep>;
  /** A step without a prefix offers to make one: false where the environment is not here (the head says why). */
  rerun: boolean;
};

/** The reader, with the prefix that ends before a step: its link, or the way to make and rerun it. */
export function ReaderWithPrefixes({ prefixes, rerun, ...props }: Props) {
  const { trajectoryId } = props;
  const actions = useCallback(
    (entry: EntryView) =>
      entry.kind === "agent" && !entry.copied && (rerun || prefixes[entry.index]) ? (
        <PrefixAction trajectoryId={trajectoryId} entry={entry.index} prefix={prefixes[entry.index]} />
      ) : null,
    [trajectoryId, prefixes, rerun],
  );
  return <Reader {...props} actions={actions} />;
}

function PrefixAction({
  trajectoryId,
  entry,
  prefix,
}: {
  trajectoryId: number;
  entry: number;
  prefix: PrefixOfStep | undefined;
}) {
  const router = useRouter();
  const [busy, startTransition] = useTransition();
  const [error, setError] = useState<string | null>(null);
  if (prefix)
    return (
      <Link
        href={`/prefixes/${prefix.id}`}
        prefetch={false}
        className="inline-flex items-center gap-1 rounded px-1.5 text-accent hover:underline"
      >
        <Milestone className="size-3.5" aria-hidden /> prefix {prefix.id}: {prefix.status}
      </Link>
    );
  const run = () =>
    startTransition(async () => {
      const result = await rerunToHereAction({ trajectoryId, entry });
      setError(result.ok ? null : result.error);
      if (result.ok) router.push(`/prefixes/${result.value.prefixId}`);
    });
  return (
    <>
      {error ? (
        <span role="alert" className="foreign text-bad">
          {error}
        </span>
      ) : null}
      <Button
        size="sm"
        variant="ghost"
        disabled={busy}
        title="Replay the commands before this step in a fresh sandbox: can its state be reached again?"
        onClick={run}
      >
        {busy ? <LoaderCircle className="animate-spin" aria-hidden /> : <RotateCcw aria-hidden />}
        <span className="max-sm:sr-only">Rerun to here</span>
      </Button>
    </>
  );
}
