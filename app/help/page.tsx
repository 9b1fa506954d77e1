import type { Metadata } from "next";
import Link from "next/link";
import { Page } from "@/components/shell/page";
import { type Entry, GLOSSARY } from "@/lib/text/glossary";

export const metadata: Metadata = { title: "Words" };

/** The page of an address as the rail names it: a link says where it leads, not that it shows every teacher. */
const pageOf = (href: string): string => {
  const name = href.split(/[/?]/)[1] ?? "";
  return `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
};

/** Every word of the method on one page, each with a link to where it is seen. */
export default function HelpPage() {
  return (
    <Page title="Words" note="What the words on these pages mean, in the order of the method">
      <dl className="grid max-w-[90ch] grid-cols-1 gap-x-6 gap-y-3 sm:grid-cols-[11rem_1fr]">
        {Object.values<Entry>(GLOSSARY).map(({ term, says, href }) => (
          <div key={term} className="contents">
            <dt id={term.replaceAll(" ", "-")} className="scroll-mt-4 font-medium max-sm:-mb-3 target:text-accent">
              <dfn className="not-italic">{term}</dfn>
            </dt>
            <dd>
              {says}{" "}
              <Link href={href} className="text-accent underline">
                {pageOf(href)}
              </Link>
            </dd>
          </div>
        ))}
      </dl>
      <p className="text-sm text-muted">
        Programs read and do the same over the{" "}
        <Link href="/api-docs" className="text-accent underline">
          HTTP API
        </Link>
        .
      </p>
    </Page>
  );
}
