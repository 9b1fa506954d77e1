/** The whole schema, one file a concept under schema/. */
export * from "./schema/auth";
export * from "./schema/errors";
export * from "./schema/jobs";
export * from "./schema/measure";
export * from "./schema/prefix";
export * from "./schema/profile";
export * from "./schema/recipe";
export * from "./schema/review";
export * from "./schema/study";
export * from "./schema/train";
export * from "./schema/trajectory";
