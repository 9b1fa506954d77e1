/** Posts JSON to an endpoint of sign-in; null when it worked, else the sentence to show. */
export async function send(endpoint: string, body: unknown): Promise<string | null> {
  try {
    const response = await fetch(`/api/auth/${endpoint}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (response.ok) return null;
    const said: unknown = await response.json().catch(() => null);
    return said !== null && typeof said === "object" && "error" in said && typeof said.error === "string"
      ? said.error
      : "The server could not answer. Try again.";
  } catch {
    return "The server did not answer. Is Misstep still running? Then try again.";
  }
}

/** The path to go to after sign-in: only a page of ours. */
export function pathAfter(next: string | undefined): string {
  if (next === undefined || !/^\/(?![/\\])/.test(next)) return "/";
  const url = URL.canParse(next, "http://x") ? new URL(next, "http://x") : null;
  return url !== null && url.host === "x" && !url.pathname.startsWith("/sign-in") ? url.pathname + url.search : "/";
}
