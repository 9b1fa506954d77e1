import { PaperNotes } from "@/components/data/paper-notes";
import { TableFrame, Td, Th } from "@/components/ui/table";
import { PAPER, PAPER_NAME, subjectName } from "@/lib/evaluate/paper/published";
import { formatCount } from "@/lib/text/format";

/** The resources that the paper printed (its Fig. 10 and Table 4). */
export function Published() {
  return (
    <section aria-labelledby="published" className="flex flex-col gap-2">
      <h2 id="published" className="text-base font-medium">
        Published
      </h2>
      <p className="text-sm text-muted">
        {PAPER_NAME}, up to the best checkpoint, preprocessing included; as printed, not measured here.
      </p>
      <TableFrame label="Published resources">
        <thead>
          <tr>
            <Th>Recipe</Th>
            <Th className="text-right">Rollouts</Th>
            <Th className="text-right">Input tokens</Th>
            <Th className="text-right">Output tokens</Th>
            <Th className="text-right">Environments</Th>
            <Th className="text-right">Dead groups</Th>
            <Th className="text-right">A100 hours</Th>
            <Th className="text-right">Fees of models</Th>
            <Th className="text-right">Total</Th>
          </tr>
        </thead>
        <tbody>
          {PAPER.resources.rows.map((row) => (
            <tr key={row.subject} className="[&>td]:text-right [&>td]:tabular-nums">
              <Td className="text-left!">{subjectName(row.subject)}</Td>
              <Td>{row.rollouts.printed}</Td>
              <Td>{row.input_tokens.printed}</Td>
              <Td>{row.output_tokens.printed}</Td>
              <Td>{formatCount(row.environments)}</Td>
              <Td>{row.dead_group_share_percent}%</Td>
              <Td>{row.gpu_hours_a100}</Td>
              <Td>{row.api_fee_usd} USD</Td>
              <Td>{row.total_cost_usd} USD</Td>
            </tr>
          ))}
        </tbody>
      </TableFrame>
      <TableFrame label="Published prices per million tokens">
        <thead>
          <tr>
            <Th>Model</Th>
            <Th>Role</Th>
            <Th className="text-right">Input</Th>
            <Th className="text-right">Cached</Th>
            <Th className="text-right">Output</Th>
            <Th>Currency</Th>
          </tr>
        </thead>
        <tbody>
          {PAPER.prices_per_million_tokens.rows.map((row) => (
            <tr key={row.model} className="[&>td]:tabular-nums">
              <Td>{row.model}</Td>
              <Td>{row.role}</Td>
              <Td className="text-right">{row.input}</Td>
              <Td className="text-right">{row.cached}</Td>
              <Td className="text-right">{row.output}</Td>
              <Td>{row.currency}, a million tokens</Td>
            </tr>
          ))}
        </tbody>
      </TableFrame>
      <div className="text-sm text-muted">
        <PaperNotes places={["resources", "cost"]} />
      </div>
    </section>
  );
}
