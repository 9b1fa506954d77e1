"use client";
import {
  Boxes,
  BrainCircuit,
  ChartColumn,
  CircleHelp,
  ClipboardCheck,
  Coins,
  Dumbbell,
  FlaskConical,
  Footprints,
  Gavel,
  House,
  ListTree,
  type LucideIcon,
  Milestone,
  Scale,
  ScanSearch,
  Settings,
  Timer,
  Upload,
} from "lucide-react";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { Fragment } from "react";
import { cn } from "@/components/cn";
import { NAV_ITEM } from "./nav-item";
import { ThemeSwitch } from "./theme-switch";

const PLACES: { href: string; label: string; icon: LucideIcon }[] = [
  { href: "/", label: "Home", icon: House },
  { href: "/study", label: "Study", icon: FlaskConical },
  { href: "/trajectories", label: "Trajectories", icon: ListTree },
  { href: "/misbehaviors", label: "Misbehaviors", icon: Footprints },
  { href: "/localizers", label: "Localizers", icon: Gavel },
  { href: "/review", label: "Review", icon: ClipboardCheck },
  { href: "/prefixes", label: "Prefixes", icon: Milestone },
  { href: "/environments", label: "Environments", icon: Boxes },
  { href: "/train", label: "Train", icon: Dumbbell },
  { href: "/compare", label: "Compare", icon: Scale },
  { href: "/evaluate", label: "Evaluate", icon: ChartColumn },
  { href: "/cost", label: "Cost", icon: Coins },
  { href: "/models", label: "Models", icon: BrainCircuit },
  { href: "/search", label: "Search", icon: ScanSearch },
  { href: "/import", label: "Import", icon: Upload },
  { href: "/jobs", label: "Jobs", icon: Timer },
  { href: "/settings", label: "Settings", icon: Settings },
  { href: "/help", label: "Words", icon: CircleHelp },
];

/** The rail on the left; a bar on top where the window is narrow. Positioned, so that names for screen readers scroll with it. */
export function Nav({
  who,
  home,
}: {
  who: React.ReactNode;
  /** Of the home for data: its short name, and its whole path for those who may know it. */
  home: { name: string; path: string | null };
}) {
  const path = usePathname();
  return (
    <nav
      aria-label="Main"
      className="relative z-20 flex shrink-0 items-center justify-between gap-0.5 overflow-x-auto border-b bg-surface px-1 md:h-dvh md:w-[5.75rem] md:justify-start md:flex-col md:overflow-x-hidden md:overflow-y-auto md:border-r md:border-b-0 md:px-1.5 md:py-2"
    >
      {PLACES.map(({ href, label, icon: Icon }) => {
        const here = href === "/" ? path === "/" : path === href || path.startsWith(`${href}/`);
        return (
          <Link
            key={href}
            href={href}
            aria-current={here ? "page" : undefined}
            title={label}
            className={cn(NAV_ITEM, here && "bg-accent-soft text-accent hover:bg-accent-soft hover:text-accent")}
          >
            <Icon className="size-4.5" aria-hidden />
            <span className={cn(!here && "max-sm:sr-only")}>{label}</span>
          </Link>
        );
      })}
      <div className="flex md:mt-auto md:w-full md:flex-col">
        {who}
        <ThemeSwitch />
        <p
          title={home.path === null ? "The home for data" : `The home for data: ${home.path}`}
          className="foreign w-full px-1 pb-1 text-center text-2xs wrap-anywhere text-muted max-md:sr-only"
        >
          <span className="sr-only">Home for data: </span>
          {home.name.split("/").map((part, i) => (
            <Fragment key={part}>
              {i > 0 ? "/" : ""}
              <wbr />
              {part}
            </Fragment>
          ))}
        </p>
      </div>
    </nav>
  );
}
