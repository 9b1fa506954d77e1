"use client";
import { UserRound } from "lucide-react";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { cn } from "@/components/cn";
import type { Actor } from "@/lib/people/actor";
import { NAV_ITEM } from "./nav-item";

/** Who is signed in, leading to their account. */
export function AccountLink({ actor }: { actor: Actor }) {
  const here = usePathname() === "/account";
  return (
    <Link
      href="/account"
      aria-current={here ? "page" : undefined}
      aria-label={`${actor.name}, ${actor.role}: your account`}
      title={`${actor.name}, ${actor.role}`}
      className={cn(NAV_ITEM, "max-w-24", here && "bg-accent-soft text-accent hover:bg-accent-soft hover:text-accent")}
    >
      <UserRound className="size-4.5" aria-hidden />
      <span className="max-w-full truncate max-sm:sr-only">{actor.name}</span>
      <span className="max-sm:sr-only">{actor.role}</span>
    </Link>
  );
}
