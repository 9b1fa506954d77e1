import { PeopleRefused } from "@/lib/people/refused";

/** The addresses people reach this server under besides the loopback ones, out of MISSTEP_ORIGIN: comma separated. */
export function readOrigins(text: string | undefined = process.env.MISSTEP_ORIGIN): string[] {
  const given = (text ?? "")
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
  return given.map((part) => {
    const url = URL.canParse(part) ? new URL(part) : null;
    const plain =
      url !== null && url.origin === part.replace(/\/$/, "").toLowerCase() && /^https?:$/.test(url.protocol);
    if (!plain || url === null || url.hostname.includes("*"))
      throw new PeopleRefused(
        `"${part}" is no origin; write it as https://misstep.example.org, without a path or a star.`,
      );
    return url.origin;
  });
}

/** Whether cookies may only travel encrypted: every address is https (a proxy in front ends it). */
export const secureCookies = (origins: string[] = readOrigins()): boolean =>
  origins.length > 0 && origins.every((origin) => origin.startsWith("https:"));
