"use client";
import { ListPlus } from "lucide-react";
import { parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { Button } from "@/components/ui/button";
import { Dialog, DialogContent } from "@/components/ui/dialog";
import { QUESTIONS } from "@/lib/review/types";
import { LISTS } from "./lists";
import { type CreateChoices, QueueForm } from "./queue-form";

/** Makes a queue. Other pages open it with their filter in the address: ?new=trajectories&filter=… */
export function CreateForm({ choices }: { choices: CreateChoices }) {
  const [from, setFrom] = useQueryStates({
    new: parseAsStringLiteral(LISTS),
    filter: parseAsString.withDefault(""),
    question: parseAsStringLiteral(QUESTIONS),
    measurement: parseAsString.withDefault(""),
  });
  return (
    <>
      <Button variant="primary" onClick={() => void setFrom({ new: "trajectories" })}>
        <ListPlus aria-hidden /> New queue
      </Button>
      <Dialog
        open={from.new !== null}
        onOpenChange={(open) => {
          if (!open) void setFrom({ new: null, filter: null, question: null, measurement: null });
        }}
      >
        <DialogContent
          wide
          title="New review queue"
          description="One question over a sample. The same settings over the same data draw the same items."
        >
          {from.new === null ? null : (
            <QueueForm
              choices={choices}
              first={{
                list: from.new,
                query: from.filter,
                question: from.question ?? (from.new === "prefixes" ? "prefix" : from.measurement ? "window" : "types"),
                evaluationId: Number(from.measurement) || choices.measurements[0]?.id || null,
              }}
            />
          )}
        </DialogContent>
      </Dialog>
    </>
  );
}
