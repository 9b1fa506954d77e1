import { z } from "zod";
import type { LinePanel } from "@/components/charts/lines";

const curvePoint = z.record(z.string(), z.unknown());

/** A card as the page shows it: its curve apart, everything else in the order in which the card has it. */
export interface CardView {
  curve: { rows: Record<string, number | null>[]; panels: LinePanel[] } | null;
  /** What the card says beside its curve, as it says it. */
  facts: [name: string, value: unknown][];
}

/** "made with", "heldOut", "held_out" and "tokensOfAPass" as words. */
export const wordsOf = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .replaceAll(/[_-]/g, " ")
    .toLowerCase();

const isLoss = (key: string) => /loss$/i.test(key);

function curveOf(value: unknown): CardView["curve"] {
  const points = z.array(curvePoint).safeParse(value);
  if (!points.success || points.data.length === 0) return null;
  const keys = [...new Set(points.data.flatMap((point) => Object.keys(point)))].filter(
    (key) => key !== "step" && points.data.some((point) => typeof point[key] === "number"),
  );
  const rows = points.data
    .filter((point) => typeof point.step === "number")
    .map((point) =>
      Object.fromEntries(
        ["step", ...keys].map((key) => {
          const at = point[key];
          return [key, typeof at === "number" && Number.isFinite(at) ? at : null];
        }),
      ),
    );
  if (rows.length === 0 || keys.length === 0) return null;
  const losses = keys.filter(isLoss);
  const panels: LinePanel[] = [
    ...(losses.length > 0 ? [{ title: "Loss", series: losses.map((key) => ({ key, label: wordsOf(key) })) }] : []),
    ...keys
      .filter((key) => !isLoss(key))
      .map((key) => ({ title: wordsOf(key), series: [{ key, label: wordsOf(key) }] })),
  ];
  return { rows, panels };
}

/** Reads `checkpoint.card`. null: there is no card. Throws when the column holds no JSON object. */
export function cardView(json: string): CardView | null {
  const card = z.record(z.string(), z.unknown()).parse(JSON.parse(json));
  if (Object.keys(card).length === 0) return null;
  const curve = curveOf(card.curve);
  return { curve, facts: Object.entries(card).filter(([name]) => curve === null || name !== "curve") };
}
