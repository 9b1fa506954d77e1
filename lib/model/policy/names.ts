/** The checkpoint that comes with the product. */
export const BASE_CHECKPOINT = "tiny-base";
