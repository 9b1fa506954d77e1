"use client";
import { SunMoon } from "lucide-react";
import { useTheme } from "next-themes";
import {
  Dropdown,
  DropdownContent,
  DropdownRadioGroup,
  DropdownRadioItem,
  DropdownTrigger,
} from "@/components/ui/dropdown";

/** Light, dark, or as the system says. */
export function ThemeSwitch() {
  const { theme, setTheme } = useTheme();
  return (
    <Dropdown>
      <DropdownTrigger className="flex w-full flex-col items-center gap-0.5 rounded-md px-1.5 py-1.5 text-2xs text-muted hover:bg-raised hover:text-text">
        <SunMoon className="size-4.5" aria-hidden />
        Theme
      </DropdownTrigger>
      <DropdownContent>
        <DropdownRadioGroup value={theme ?? "system"} onValueChange={setTheme}>
          <DropdownRadioItem value="light">Light</DropdownRadioItem>
          <DropdownRadioItem value="dark">Dark</DropdownRadioItem>
          <DropdownRadioItem value="system">As the system</DropdownRadioItem>
        </DropdownRadioGroup>
      </DropdownContent>
    </Dropdown>
  );
}
