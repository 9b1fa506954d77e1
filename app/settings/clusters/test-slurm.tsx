"use client";
import { PlugZap } from "lucide-react";
import { useState } from "react";
import { useAction } from "@/app/settings/models/form";
import { Button } from "@/components/ui/button";
import { TableFrame, Td, Th } from "@/components/ui/table";
import { formatCount } from "@/lib/text/format";
import { visible } from "@/lib/text/glyphs";
import { type SlurmNodes, testSlurmAction } from "./actions";

/** Asks Slurm for its partitions and shows what it answered. */
export function TestSlurm() {
  const { busy, error, run } = useAction();
  const [nodes, setNodes] = useState<SlurmNodes[] | null>(null);
  return (
    <div className="flex flex-col gap-2">
      <Button
        size="sm"
        className="self-start"
        disabled={busy}
        aria-label="Test Slurm"
        onClick={() => {
          setNodes(null);
          run(testSlurmAction, setNodes);
        }}
      >
        <PlugZap aria-hidden /> {busy ? "Asking…" : "Test"}
      </Button>
      <div aria-live="polite">
        {error === null ? null : (
          <p role="alert" className="foreign text-sm text-bad">
            {visible(error)}
          </p>
        )}
        {nodes === null ? null : nodes.length === 0 ? (
          <p className="text-sm text-warn">Slurm answers and lists no partition.</p>
        ) : (
          <TableFrame label="Partitions of Slurm" className="max-w-xl">
            <thead>
              <tr>
                <Th>Partition (* default)</Th>
                <Th className="text-right">Nodes</Th>
                <Th>State</Th>
                <Th>Time limit</Th>
              </tr>
            </thead>
            <tbody>
              {nodes.map((row) => (
                <tr key={`${row.partition} ${row.state}`}>
                  <Td className="foreign">{visible(row.partition)}</Td>
                  <Td className="text-right">{formatCount(row.nodes)}</Td>
                  <Td className="foreign">{visible(row.state)}</Td>
                  <Td className="foreign">{visible(row.limit)}</Td>
                </tr>
              ))}
            </tbody>
          </TableFrame>
        )}
      </div>
    </div>
  );
}
