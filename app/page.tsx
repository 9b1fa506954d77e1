import Link from "next/link";
import { Page } from "@/components/shell/page";

export default function HomePage() {
  return (
    <Page title="Misstep" note="Find the wrong steps that terminal agents keep repeating.">
      <p>
        <Link className="text-accent underline" href="/trajectories">
          Read trajectories
        </Link>
      </p>
    </Page>
  );
}
