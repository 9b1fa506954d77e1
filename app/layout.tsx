import type { Metadata, Viewport } from "next";
import { headers } from "next/headers";
import { actorIfAny } from "@/app/actor";
import { Who } from "@/app/people/who";
import { Providers } from "@/components/providers";
import { Nav } from "@/components/shell/nav";
import { getDb } from "@/db/client";
import { home, homeName } from "@/db/home";
import { accountsOn } from "@/lib/people/accounts/state";
import type { Actor } from "@/lib/people/actor";
import { visible } from "@/lib/text/glyphs";
import "./globals.css";

/** Titles name the home for data, so that two dashboards side by side are told apart; not to who is not signed in. */
export async function generateMetadata(): Promise<Metadata> {
  const name = (await actorIfAny()) === null ? "" : `${visible(homeName(home().root))} · `;
  return {
    title: { default: `${name}Misstep`, template: `%s · ${name}Misstep` },
    description: "Find the wrong steps that terminal agents keep repeating.",
  };
}

export const viewport: Viewport = {
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#fbfaf7" },
    { media: "(prefers-color-scheme: dark)", color: "#15171c" },
  ],
};

/** The home for data, its path only for admins where people sign in. */
function place(actor: Actor): { name: string; path: string | null } {
  const { root } = home();
  const open = actor.role === "admin" || !accountsOn(getDb());
  return { name: visible(homeName(root)), path: open ? visible(root) : null };
}

export default async function RootLayout({ children }: { children: React.ReactNode }) {
  // The guard in front of Next made a nonce for this page; reading it also keeps every page out of static rendering.
  const nonce = (await headers()).get("x-nonce") ?? undefined;
  // Who is not signed in sees the pages by which one comes in, and no rail: it would lead nowhere.
  const actor = await actorIfAny();
  return (
    <html lang="en" suppressHydrationWarning>
      <body>
        <a
          href="#content"
          className="sr-only z-50 rounded-md bg-accent px-3 py-1.5 text-on-accent focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
        >
          Skip to content
        </a>
        <Providers nonce={nonce}>
          <div className="flex h-dvh flex-col overflow-hidden md:flex-row">
            {actor === null ? null : <Nav who={<Who actor={actor} />} home={place(actor)} />}
            <main id="content" tabIndex={-1} className="relative min-h-0 min-w-0 flex-1 overflow-hidden outline-none">
              {children}
            </main>
          </div>
        </Providers>
      </body>
    </html>
  );
}
