import { PAPER_NOTES } from "./notes";
import { PAPER } from "./published";

/** What we hold of the paper in the schema mirl-paper/1, so that a check written for that schema runs on it. */
export const paperExport = () => ({
  ...PAPER,
  discrepancies: PAPER_NOTES.map(({ id, places, text }) => ({ id, where: places, what: text })),
});
