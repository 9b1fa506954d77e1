import "server-only";
import type { z } from "zod";
import { putEndpoint } from "./edit";
import { keysFile, moveKey, writeKey } from "./keys";
import { checkSettings, type endpointSchema, readSettings, settingsFile } from "./settings";

/**
 * Brings keys.json in line with an endpoint that is about to be saved under its name, in place of the one called `was`:
 * its key moves along, and `key` is written ("" takes it out, null leaves it). Throws SettingsError with no key touched
 * when the settings would not take the endpoint: a name that another has must not get that one's key, nor replace it.
 */
export function keepKey(
  was: string | null,
  endpoint: z.input<typeof endpointSchema>,
  key: string | null,
  files = { settings: settingsFile(), keys: keysFile() },
): void {
  checkSettings(putEndpoint(readSettings(files.settings), was, endpoint), files.settings);
  if (was !== null && was !== endpoint.name) moveKey(was, endpoint.name, files.keys);
  if (key !== null) writeKey(endpoint.name, key.trim() === "" ? null : key, files.keys);
}
