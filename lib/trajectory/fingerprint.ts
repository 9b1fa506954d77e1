import { createHash } from "node:crypto";
import type { Step } from "./types";

/**
 * SHA-256 (hex) over what a trajectory's steps say: kind, turn, speaker, thinking, message, call, observations, note,
 * copied. Not over where they were read from (source), times or usage. Two readings with equal fingerprints hold the
 * same text byte for byte; null and "" differ.
 */
export function stepsFingerprint(steps: readonly Step[]): string {
  const hash = createHash("sha256");
  for (const step of steps) {
    const call = step.call && [step.call.id, step.call.name, step.call.arguments, step.call.command];
    const observations = step.observations.map((item) => [
      item.callId,
      item.content,
      item.output,
      item.full,
      item.exitCode,
      item.timedOut,
      item.error,
    ]);
    hash.update(
      JSON.stringify([
        step.kind,
        step.turn,
        step.actor,
        step.thinking,
        step.message,
        call,
        observations,
        step.note,
        step.copied,
      ]),
    );
    hash.update("\n");
  }
  return hash.digest("hex");
}
