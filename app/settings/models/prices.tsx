import { TableFrame, Td, Th } from "@/components/ui/table";
import type { Price } from "@/lib/model/chat/price";
import type { ModelSettings } from "@/lib/model/chat/settings";
import { formatTime } from "@/lib/text/format";
import { Head, Nothing } from "./parts";
import { PriceDialog } from "./price-form";

/** All price rows, newest first a model. */
export function Prices({ settings, rows }: { settings: ModelSettings; rows: Price[] }) {
  return (
    <>
      <Head title="Prices">
        <PriceDialog
          models={settings.models.map((model) => model.name)}
          today={new Date().toISOString().slice(0, 10)}
        />
      </Head>
      {rows.length === 0 ? (
        <Nothing>None yet: what calls cost is not known.</Nothing>
      ) : (
        <TableFrame label="Prices" className="max-w-5xl">
          <thead>
            <tr>
              <Th>Model</Th>
              <Th>In force from</Th>
              <Th className="text-right">Input</Th>
              <Th className="text-right">Cached input</Th>
              <Th className="text-right">Output</Th>
              <Th>Currency, per million tokens</Th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.id}>
                <Td className="foreign min-w-24">{row.model}</Td>
                <Td className="whitespace-nowrap">{formatTime(row.validFrom)} UTC</Td>
                <Td className="text-right tabular-nums">{row.input}</Td>
                <Td className="text-right tabular-nums">{row.cached ?? `${row.input} (as input)`}</Td>
                <Td className="text-right tabular-nums">{row.output}</Td>
                <Td>
                  {row.currency}
                  {row.usdRate === null ? "" : `, 1 ${row.currency} = $${row.usdRate}`}
                </Td>
              </tr>
            ))}
          </tbody>
        </TableFrame>
      )}
    </>
  );
}
