/** Prices per million tokens that the paper reckons with (recipe 7). `usdRate`: our reading of its dollar figures. */
export interface PaperPrice {
  label: string;
  currency: string;
  usdRate: number | null;
  input: number;
  cached: number;
  output: number;
}

export const PAPER_PRICES: readonly PaperPrice[] = [
  { label: "Qwen3.5-4B", currency: "USD", usdRate: null, input: 0.33, cached: 0.066, output: 1.005 },
  // The paper states no rate; 1 CNY = $0.1372 makes this row its $0.5 / 0.1 / 3.0.
  { label: "Qwen3.8-27B", currency: "CNY", usdRate: 0.1372, input: 3.646, cached: 0.729, output: 21.875 },
  { label: "Gemini 3.8 Flash", currency: "USD", usdRate: null, input: 0.75, cached: 0.075, output: 3.75 },
  { label: "Claude Opus 5", currency: "USD", usdRate: null, input: 5, cached: 0.5, output: 25 },
];
