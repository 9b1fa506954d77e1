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
import { NAV_ITEM } from "./nav-item";

/** Light, dark, or as the system says. */
export function ThemeSwitch() {
  const { theme, setTheme } = useTheme();
  return (
    <Dropdown>
      <DropdownTrigger className={NAV_ITEM} title="Theme">
        <SunMoon className="size-4.5" aria-hidden />
        <span className="max-sm:sr-only">Theme</span>
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
