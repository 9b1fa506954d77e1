import fs from "node:fs";
import { z } from "zod";
import { trainSettings } from "@/lib/train/settings";
import { UnreadableFolder } from "./folder";

/** As much of a bundle's manifest as reading back needs. */
export const bundleManifest = z.object({
  format: z.literal("misstep-bundle"),
  recipe: z.string(),
  settings: trainSettings,
  model: z.string().optional(),
  prefixes: z.array(z.object({ id: z.number(), misbehavior: z.string().nullable() })),
  tasks: z.array(z.object({ id: z.string(), environment: z.string(), dataset: z.string(), digest: z.string() })),
});
export type BundleManifest = z.infer<typeof bundleManifest>;

/** Reads manifest.json of a bundle. Throws UnreadableFolder. */
export function readManifest(file: string): BundleManifest {
  let value: unknown;
  try {
    value = JSON.parse(fs.readFileSync(file, "utf8"));
  } catch (error) {
    throw new UnreadableFolder(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  const read = bundleManifest.safeParse(value);
  if (read.success) return read.data;
  const issue = read.error.issues[0];
  throw new UnreadableFolder(`${file} is no manifest of a bundle: ${issue?.path.join(".")}: ${issue?.message}`);
}
