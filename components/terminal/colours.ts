import type { ITheme } from "@xterm/xterm";

const ANSI = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"] as const;

/** A custom property's colour as #rrggbb, whatever notation it is written in. */
function colour(context: CanvasRenderingContext2D, style: CSSStyleDeclaration, name: string): string {
  context.fillStyle = style.getPropertyValue(name).trim();
  context.fillRect(0, 0, 1, 1);
  const [r = 0, g = 0, b = 0] = context.getImageData(0, 0, 1, 1).data;
  return `#${[r, g, b].map((n) => n.toString(16).padStart(2, "0")).join("")}`;
}

/** The page's present theme for xterm, from the custom properties of theme.css. */
export function terminalTheme(): ITheme {
  const canvas = document.createElement("canvas");
  canvas.width = 1;
  canvas.height = 1;
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (!context) return {};
  const style = getComputedStyle(document.documentElement);
  const of = (name: string) => colour(context, style, name);
  const theme: ITheme = {
    background: of("--term"),
    foreground: of("--term-text"),
    cursor: of("--accent"),
    cursorAccent: of("--term"),
    selectionBackground: of("--hit-active"),
    selectionForeground: of("--on-hit-active"),
  };
  for (const name of ANSI) {
    theme[name] = of(`--ansi-${name}`);
    theme[`bright${name[0]?.toUpperCase()}${name.slice(1)}` as "brightBlack"] = of(`--ansi-${name}`);
  }
  return theme;
}
