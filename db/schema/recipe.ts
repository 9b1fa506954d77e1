import { sql } from "drizzle-orm";
import { integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { createdAt, json } from "./columns";

/** A recipe of a person's own: settings of a training under a name. Archived ones stay: trainings were made with them. */
export const recipe = sqliteTable(
  "recipe",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    name: text("name").notNull(),
    /** What it is for, in a sentence; may be empty. */
    about: text("about").notNull().default(""),
    /** Shipped recipe it was made from, by name. */
    basedOn: text("based_on").notNull(),
    /** TrainSettings of lib/train/settings.ts, whole. */
    settings: json("settings").notNull(),
    createdBy: text("created_by").notNull(),
    createdAt: createdAt(),
    /** null: in use. */
    archivedAt: integer("archived_at"),
  },
  (t) => [uniqueIndex("recipe_name").on(t.name).where(sql`archived_at is null`)],
);
