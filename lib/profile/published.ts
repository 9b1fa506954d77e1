/**
 * The distribution the MiRL paper published (arXiv 2610.35697v1, Figure 4 and Table 2): 2,017 environments, two
 * rollouts each, 12,746 error steps. Percent. Drawn beside a user's own numbers and always marked as published.
 */
export interface PublishedShare {
  slug: string;
  shareOfErrorSteps: number;
  shareOfEnvironments: number;
}

export const PUBLISHED = {
  source: "MiRL paper, Figure 4 and Table 2",
  policy: "Qwen3.5-4B",
  errorSteps: 12_746,
  environments: 2_017,
  rows: [
    { slug: "false-test-claims", shareOfErrorSteps: 15.4, shareOfEnvironments: 46.7 },
    { slug: "unneeded-checks", shareOfErrorSteps: 11.5, shareOfEnvironments: 42.2 },
    { slug: "retry-same-cause", shareOfErrorSteps: 11.2, shareOfEnvironments: 36.5 },
    { slug: "no-runnable-command", shareOfErrorSteps: 5.1, shareOfEnvironments: 19.4 },
    { slug: "unverified-kill", shareOfErrorSteps: 4.7, shareOfEnvironments: 14.0 },
    { slug: "guess-as-fact", shareOfErrorSteps: 2.5, shareOfEnvironments: 11.0 },
    { slug: "unverified-success", shareOfErrorSteps: 1.7, shareOfEnvironments: 8.9 },
    { slug: "binary-as-text", shareOfErrorSteps: 1.4, shareOfEnvironments: 6.9 },
  ] satisfies PublishedShare[],
  /** At least one of the eight. */
  together: { shareOfErrorSteps: 52.1, shareOfEnvironments: 75.4 },
} as const;
