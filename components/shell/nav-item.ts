/** Look of a place in the rail. Where the window is narrow only the icon and the name of the current place are shown. */
export const NAV_ITEM =
  "flex min-h-10 min-w-9 shrink-0 flex-col items-center justify-center gap-0.5 rounded-md px-1.5 py-1 text-2xs text-muted hover:bg-raised hover:text-text md:w-full";
