"use client";
import { Download, Table2 } from "lucide-react";
import { useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { TableFrame, Td, Th } from "@/components/ui/table";
import { toCsv } from "./csv";

/** The data of a chart: what the table shows and the CSV holds. */
export interface ChartData {
  header: string[];
  rows: (string | number | null)[][];
}

function save(name: string, type: string, text: string) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

/** The drawn SVGs as one file: styles that come from the page's CSS are written into the elements. */
function svgText(box: HTMLElement): string {
  const drawn = [...box.querySelectorAll<SVGSVGElement>("svg.recharts-surface")].filter((svg) => svg.clientWidth > 40);
  let x = 0;
  let height = 0;
  const parts = drawn.map((svg) => {
    const copy = svg.cloneNode(true) as SVGSVGElement;
    const from = svg.querySelectorAll<SVGElement>("*");
    copy.querySelectorAll<SVGElement>("*").forEach((element, i) => {
      const source = from[i];
      if (!source) return;
      const style = getComputedStyle(source);
      for (const property of ["fill", "stroke", "font-size", "font-family", "font-weight", "text-anchor"]) {
        element.style.setProperty(property, style.getPropertyValue(property));
      }
    });
    copy.setAttribute("x", String(x));
    copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
    x += svg.clientWidth;
    height = Math.max(height, svg.clientHeight);
    return new XMLSerializer().serializeToString(copy);
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${x}" height="${height}">${parts.join("")}</svg>`;
}

/** A chart with its title, its data as a table on request, and downloads as SVG and CSV. */
export function ChartFrame({
  title,
  note,
  name,
  data,
  children,
}: {
  title: string;
  note?: React.ReactNode;
  /** File name of downloads, without extension. */
  name: string;
  data: ChartData;
  children: React.ReactNode;
}) {
  const [asTable, setAsTable] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  return (
    <figure className="flex min-w-0 flex-col gap-2 rounded-lg border bg-surface p-3">
      <figcaption className="flex flex-wrap items-start gap-2">
        <div className="min-w-0 flex-1">
          <h2 className="font-medium">{title}</h2>
          {note ? <p className="text-sm text-muted">{note}</p> : null}
        </div>
        <Button size="sm" variant="ghost" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
          <Table2 aria-hidden /> Table
        </Button>
        <Button
          size="sm"
          variant="ghost"
          disabled={asTable}
          onClick={() => box.current && save(`${name}.svg`, "image/svg+xml", svgText(box.current))}
        >
          <Download aria-hidden /> SVG
        </Button>
        <Button
          size="sm"
          variant="ghost"
          onClick={() => save(`${name}.csv`, "text/csv", toCsv(data.header, data.rows))}
        >
          <Download aria-hidden /> CSV
        </Button>
      </figcaption>
      {asTable ? (
        <TableFrame label={title}>
          <thead>
            <tr>
              {data.header.map((h) => (
                <Th key={h}>{h}</Th>
              ))}
            </tr>
          </thead>
          <tbody>
            {data.rows.map((row) => (
              <tr key={String(row[0])}>
                {row.map((value, i) => (
                  <Td key={data.header[i]}>{value ?? "—"}</Td>
                ))}
              </tr>
            ))}
          </tbody>
        </TableFrame>
      ) : (
        <div ref={box} className="min-w-0">
          {children}
        </div>
      )}
    </figure>
  );
}
