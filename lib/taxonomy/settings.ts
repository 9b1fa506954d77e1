import { z } from "zod";

/** An implementation of the annotator: "rules", or "model" with the name of a model of the model settings. */
export const annotatorSpec = z.preprocess(
  (given) => (typeof given === "string" ? { use: given } : given),
  z.discriminatedUnion("use", [
    z.object({ use: z.literal("rules") }),
    z.object({
      use: z.literal("model"),
      /** Name in the model settings; absent: the model that the settings give the annotator. */
      model: z.string().min(1).optional(),
    }),
  ]),
);
export type AnnotatorSpec = z.infer<typeof annotatorSpec>;

/** Which error steps are looked at. */
const looked = z.union([
  z.object({ all: z.literal(true) }),
  z.object({ profile: z.number().int().positive() }),
  z.object({ study: z.number().int().positive() }),
  z.object({ checkpoints: z.array(z.number().int().positive()).min(1) }),
]);
export type Looked = z.infer<typeof looked>;

/**
 * What a build of a taxonomy is made with; stored with the version. The method names the phases and the 1% (recipe 11);
 * batch sizes, numbers of batches and the recurrence threshold it leaves open.
 */
export const taxonomySettings = z.object({
  annotator: annotatorSpec.default({ use: "rules" }),
  steps: looked.default({ all: true }),
  seed: z.number().int().min(0).default(1),
  /** Error steps shown at once while proposing and refining. */
  batchSize: z.number().int().min(2).max(500).default(40),
  proposeBatches: z.number().int().min(1).max(1000).default(5),
  /** Refining ends when the share of new patterns stayed below `newShare` for `calmBatches` in a row, or at the most after `maxRefine`. */
  newShare: z.number().min(0).max(1).default(0.05),
  calmBatches: z.number().int().min(1).max(100).default(2),
  maxRefine: z.number().int().min(0).max(1000).default(10),
  /** A type is kept for labelling when it was seen in at least so many batches. */
  recurrence: z.number().int().min(1).max(1000).default(2),
  labelBatchSize: z.number().int().min(1).max(500).default(40),
  /** Share of the error steps looked at below which a type goes to the long tail. */
  keepShare: z.number().min(0).max(1).default(0.01),
  /** Batches asked about at once, where order allows. Changes nothing but the time. */
  parallel: z.number().int().min(1).max(64).default(4),
});
export type TaxonomySettings = z.infer<typeof taxonomySettings>;
export type GivenTaxonomySettings = z.input<typeof taxonomySettings>;

/** `taxonomy.params` of a build; other versions hold at most `coverage`. */
export const taxonomyParams = z.object({
  coverage: z.enum(["everything", "assigned"]).optional(),
  build: taxonomySettings.optional(),
  /** How the build ended, once it did. */
  result: z
    .object({
      errorSteps: z.number(),
      labelled: z.number(),
      none: z.number(),
      failed: z.number(),
      unparsed: z.number(),
      refineBatches: z.number(),
      /** calm | most | used-up: why refining ended. */
      refineEnded: z.enum(["calm", "most", "used-up"]),
    })
    .optional(),
});
export type TaxonomyParams = z.infer<typeof taxonomyParams>;
