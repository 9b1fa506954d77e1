"use server";
import { z } from "zod";
import { ActionRefused, type ActionResult, act } from "@/app/action";
import { getDb } from "@/db/client";
import { enqueueReadBack } from "@/lib/jobs/readBackJob";
import { confine } from "@/lib/jobs/roots";
import { NothingToTrainOn, UnusableTraining } from "@/lib/jobs/trainJob";
import { keepBundle } from "@/lib/train/bundle/kept";
import { type LeftOut, makeBundle } from "@/lib/train/bundle/make";
import { BUNDLE_FORMATS, BundleRefused, PAPER_SCALE } from "@/lib/train/bundle/settings";
import { checkTrainSettings, sayIssues } from "@/lib/train/check";
import { UnreadableFolder } from "@/lib/train/readback/folder";

const bundle = z.object({
  settings: z.record(z.string(), z.unknown()),
  format: z.enum(BUNDLE_FORMATS),
  /** Group, batch, steps and learning rate of the paper instead of those of the settings. */
  paperScale: z.boolean(),
});

/** A bundle that was made and kept. */
export interface MadeBundle {
  name: string;
  rows: number;
  files: number;
  bytes: number;
  leftOut: LeftOut[];
  /** Of the archive, on the machine that runs Misstep. */
  path: string;
}

/** Makes a bundle of these settings for another trainer and keeps it as an archive. */
export async function bundleAction(input: z.input<typeof bundle>): Promise<ActionResult<MadeBundle>> {
  return act(bundle, input, async ({ settings, format, paperScale }) => {
    const read = checkTrainSettings({ ...settings, ...(paperScale ? PAPER_SCALE : {}) });
    if (!read.ok) throw new ActionRefused(sayIssues(read.issues));
    try {
      const made = makeBundle(getDb(), 1, { train: read.settings, format });
      const { name, rows, leftOut, bytes } = made;
      return { name, rows, files: made.files.length, bytes, leftOut, path: await keepBundle(made) };
    } catch (error) {
      if (error instanceof BundleRefused || error instanceof NothingToTrainOn) throw new ActionRefused(error.message);
      throw error;
    }
  });
}

const place = z.object({
  folder: z.string().trim().min(1, "name a folder").max(4096),
  /** manifest.json of the bundle; empty: none. */
  manifest: z.string().trim().max(4096),
  follow: z.boolean(),
});

function confined(path: string): string {
  const result = confine(path);
  if (!result.ok) throw new ActionRefused(result.reason);
  return result.path;
}

/** Queues reading rollouts of another engine. */
export async function readBackAction(
  input: z.input<typeof place>,
): Promise<ActionResult<{ runId: number; jobId: number }>> {
  return act(place, input, ({ folder, manifest, follow }, actor) => {
    try {
      return enqueueReadBack(getDb(), {
        folder: confined(folder),
        ...(manifest === "" ? {} : { manifest: confined(manifest) }),
        follow,
        requestedBy: actor.name,
      });
    } catch (error) {
      if (error instanceof UnreadableFolder || error instanceof UnusableTraining)
        throw new ActionRefused(error.message);
      throw error;
    }
  });
}
