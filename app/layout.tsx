import type { Metadata, Viewport } from "next";
import { headers } from "next/headers";
import { actorIfAny } from "@/app/actor";
import { Who } from "@/app/people/who";
import { Providers } from "@/components/providers";
import { Nav } from "@/components/shell/nav";
import "./globals.css";

export const metadata: Metadata = {
  title: { default: "Misstep", template: "%s · Misstep" },
  description: "Find the wrong steps that terminal agents keep repeating.",
};

export const viewport: Viewport = {
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#fbfaf7" },
    { media: "(prefers-color-scheme: dark)", color: "#15171c" },
  ],
};

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
            {actor === null ? null : <Nav who={<Who actor={actor} />} />}
            <main id="content" tabIndex={-1} className="relative min-h-0 min-w-0 flex-1 overflow-hidden outline-none">
              {children}
            </main>
          </div>
        </Providers>
      </body>
    </html>
  );
}
