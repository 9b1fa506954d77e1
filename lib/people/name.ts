import { z } from "zod";

/** As names are compared: what one signs in with, and whether two are the same. */
export const foldName = (name: string): string => name.normalize("NFC").trim().replace(/\s+/gu, " ").toLowerCase();

/** A person's name: one line as it is shown, 1 to 60 characters. */
export const nameSchema = z
  .string()
  .transform((text) => text.normalize("NFC").trim().replace(/\s+/gu, " "))
  .pipe(
    z
      .string()
      .min(1, "a name is needed")
      .max(60, "a name has 60 characters at most")
      .regex(/^[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+$/u, "a name has no control or invisible characters"),
  );
