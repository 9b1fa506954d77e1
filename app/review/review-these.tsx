import { ClipboardCheck } from "lucide-react";
import Link from "next/link";
import { currentActor } from "@/app/actor";
import { Button } from "@/components/ui/button";
import { type ListName, newQueueHref } from "./lists";

/** The way from a list to a queue over what it shows; `href`: the list's own address, whose filter the queue takes. Only for admins. */
export async function ReviewThese({
  list,
  href,
  question,
  measurement,
}: {
  list: ListName;
  href: string;
  question: "wrong" | "types" | "window" | "prefix";
  measurement?: number;
}) {
  if ((await currentActor()).role !== "admin") return null;
  const query = href.split("?")[1] ?? "";
  const more = { question, ...(measurement === undefined ? {} : { measurement: String(measurement) }) };
  return (
    <Button asChild className="print:hidden">
      <Link href={newQueueHref(list, query, more)} prefetch={false}>
        <ClipboardCheck aria-hidden /> Review these
      </Link>
    </Button>
  );
}
