"use client";
import { Download, Table2 } from "lucide-react";
import Link from "next/link";
import { useRef, useState } from "react";
import { cn } from "@/components/cn";
import { Stated } from "@/components/data/stated";
import { Button } from "@/components/ui/button";
import { TableFrame, Td, Th } from "@/components/ui/table";
import { toCsv } from "@/lib/text/csv";
import { type Cell, type ColumnKind, columnKinds, numberText } from "./table-columns";

/** The data of a chart: what the table shows and the CSV holds. */
export interface ChartData {
  header: string[];
  rows: Cell[][];
  /** Where the name of each row leads. */
  links?: string[];
}

function save(name: string, blob: Blob) {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

const HEAD = 56;
const escapeXml = (text: string) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

/**
 * The drawn SVGs as one file that stands on its own: title, legend and panel titles are added, and styles that come
 * from the page's CSS are written into the elements. They stand to each other as they do on the page.
 */
function svgText(box: HTMLElement, title: string): string {
  const drawn = [...box.querySelectorAll<SVGSVGElement>("svg.recharts-surface, svg[data-chart]")].filter(
    (svg) => svg.clientWidth > 40,
  );
  const places = drawn.map((svg) => svg.getBoundingClientRect());
  const left = Math.min(...places.map((place) => place.left));
  const top = Math.min(...places.map((place) => place.top)) - HEAD;
  const page = getComputedStyle(box);
  const colour = (name: string) => escapeXml(page.getPropertyValue(`--${name}`).trim());
  const text = (at: [number, number], size: number, content: string) =>
    `<text x="${at[0]}" y="${at[1]}" font-family="sans-serif" font-size="${size}" fill="${colour("text")}">${escapeXml(content)}</text>`;
  const legend = [...box.querySelectorAll("[data-legend]")].map((item) => item.textContent ?? "").join(" · ");
  const heads = [text([8, 18], 14, title), text([8, 34], 11, legend)];
  const parts = drawn.map((svg, i) => {
    const x = (places[i]?.left ?? left) - left;
    const y = (places[i]?.top ?? top) - top;
    const copy = svg.cloneNode(true) as SVGSVGElement;
    const from = svg.querySelectorAll<SVGElement>("*");
    copy.querySelectorAll<SVGElement>("*").forEach((element, at) => {
      const source = from[at];
      if (!source) return;
      const style = getComputedStyle(source);
      for (const property of ["fill", "stroke", "font-size", "font-family", "font-weight", "text-anchor"]) {
        element.style.setProperty(property, style.getPropertyValue(property));
      }
    });
    // A file on its own leads nowhere.
    for (const link of copy.querySelectorAll("a")) link.replaceWith(...link.childNodes);
    // Places in percent are of the drawing, not of the file.
    copy.setAttribute("width", String(svg.clientWidth));
    copy.setAttribute("height", String(svg.clientHeight));
    copy.setAttribute("x", String(x));
    copy.setAttribute("y", String(y));
    const panel = svg.closest<HTMLElement>("[data-panel]");
    if (panel) heads.push(text([x + Number(panel.dataset.names ?? 0) + 8, y - 6], 12, panel.dataset.panel ?? ""));
    copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
    return new XMLSerializer().serializeToString(copy);
  });
  const width = Math.max(0, ...places.map((place) => place.right)) - left;
  const size = `width="${width}" height="${Math.max(0, ...places.map((place) => place.bottom)) - top}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size}><rect ${size} fill="${colour("surface")}"/>${heads.join("")}${parts.join("")}</svg>`;
}

/** Dots of an image for one of the page. */
const SHARP = 2;

/** An SVG as a PNG. Rejects when the browser cannot draw it. */
async function pngOf(svg: string): Promise<Blob> {
  const url = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = image.naturalWidth * SHARP;
    canvas.height = image.naturalHeight * SHARP;
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
    if (!blob) throw new Error("the browser made no image of it");
    return blob;
  } finally {
    URL.revokeObjectURL(url);
  }
}

const CELLS: Record<ColumnKind, string> = {
  number: "text-right tabular-nums",
  text: "min-w-28",
  prose: "min-w-64",
};

/** A cell of the table; the CSV holds its number in full. */
const Shown = ({ value }: { value: Cell }) =>
  value === null ? (
    <Stated value={null} why="not known">
      {() => null}
    </Stated>
  ) : typeof value === "number" ? (
    numberText(value)
  ) : (
    value
  );

/** The data of a chart as a table. */
function DataTable({
  title,
  data: { header, rows, links },
  cellHref,
}: {
  title: string;
  data: ChartData;
  cellHref: ((row: number, column: number) => string | null) | undefined;
}) {
  const kinds = columnKinds(header, rows);
  return (
    <TableFrame label={title}>
      <thead>
        <tr>
          {header.map((h, i) => (
            <Th key={h} className={kinds[i] === "number" ? "text-right" : undefined}>
              {h}
            </Th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, r) => (
          <tr key={JSON.stringify(row)}>
            {row.map((value, i) => {
              const href = i === 0 ? links?.[r] : cellHref?.(r, i);
              return (
                <Td key={header[i]} className={cn(CELLS[kinds[i] ?? "text"], i === 0 && "min-w-44")}>
                  {href ? (
                    <Link href={href} prefetch={false} className="text-accent hover:underline">
                      <Shown value={value} />
                    </Link>
                  ) : (
                    <Shown value={value} />
                  )}
                </Td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </TableFrame>
  );
}

/** A chart with its title, its data as a table on request, and downloads as SVG, PNG and CSV. */
export function ChartFrame({
  title,
  note,
  name,
  data,
  cellHref,
  children,
}: {
  title: string;
  note?: React.ReactNode;
  /** File name of downloads, without extension. */
  name: string;
  data: ChartData;
  /** Where a cell of the table leads; null: nowhere. */
  cellHref?: (row: number, column: number) => string | null;
  children: React.ReactNode;
}) {
  const [asTable, setAsTable] = useState(false);
  const [failed, setFailed] = useState<string | null>(null);
  const savePng = async (drawn: HTMLElement) => {
    try {
      setFailed(null);
      save(`${name}.png`, await pngOf(svgText(drawn, title)));
    } catch (error) {
      setFailed(`No PNG could be made: ${error instanceof Error ? error.message : String(error)}. SVG holds the same.`);
    }
  };
  const box = useRef<HTMLDivElement>(null);
  return (
    // A table takes the whole row of the grid it stands in: sentences need the room.
    <figure className={cn("flex min-w-0 flex-col gap-2 rounded-lg border bg-surface p-3", asTable && "col-span-full")}>
      <figcaption className="flex flex-wrap items-start gap-2">
        <h2 className="min-w-0 flex-1 font-medium">{title}</h2>
        <Button size="sm" variant="ghost" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
          <Table2 aria-hidden /> Table
        </Button>
        <Button
          size="sm"
          variant="ghost"
          disabled={asTable}
          onClick={() =>
            box.current && save(`${name}.svg`, new Blob([svgText(box.current, title)], { type: "image/svg+xml" }))
          }
        >
          <Download aria-hidden /> SVG
        </Button>
        <Button size="sm" variant="ghost" disabled={asTable} onClick={() => box.current && savePng(box.current)}>
          <Download aria-hidden /> PNG
        </Button>
        <Button
          size="sm"
          variant="ghost"
          onClick={() => save(`${name}.csv`, new Blob([toCsv(data.header, data.rows)], { type: "text/csv" }))}
        >
          <Download aria-hidden /> CSV
        </Button>
        {failed === null ? null : (
          <p role="alert" className="w-full text-sm text-bad">
            {failed}
          </p>
        )}
        {note ? <div className="-mt-1 w-full text-sm text-muted">{note}</div> : null}
      </figcaption>
      {asTable ? (
        <DataTable title={title} data={data} cellHref={cellHref} />
      ) : (
        <div ref={box} className="min-w-0">
          {children}
        </div>
      )}
    </figure>
  );
}
