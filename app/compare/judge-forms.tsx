"use client";
import { Gavel, GraduationCap } from "lucide-react";
import { useRouter } from "next/navigation";
import { useId, useState, useTransition } from "react";
import type { ActionResult } from "@/app/action";
import { unreached } from "@/components/data/unreached";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { visible } from "@/lib/text/glyphs";
import { judgeAction, teachJudgeAction } from "./actions";

/** Has another judge read the windows of a measurement, or teaches one from what is said of them. */
export function JudgeForms({
  id,
  judges,
  said,
  people,
}: {
  id: number;
  /** What `roleSpec` takes. */
  judges: string[];
  /** Judges that have verdicts on it, as they are named there. */
  said: string[];
  /** Whether people labelled any of its windows. */
  people: boolean;
}) {
  const field = useId();
  const router = useRouter();
  const [busy, startTransition] = useTransition();
  // One that was itself taught by another comes last.
  const learned = (judge: string) => judge.startsWith("learned:");
  const teachers = [...(people ? ["people"] : []), ...said.filter((j) => !learned(j)), ...said.filter(learned)];
  const [judge, setJudge] = useState(judges[0] ?? "rules");
  const [from, setFrom] = useState(teachers[0] ?? "people");
  const [name, setName] = useState("");
  const [told, setTold] = useState<{ bad: boolean; text: string } | null>(null);
  const send = <T,>(ask: () => Promise<ActionResult<T>>, then: (value: T) => void) => {
    setTold(null);
    startTransition(async () => {
      try {
        const result = await ask();
        if (result.ok) then(result.value);
        else setTold({ bad: true, text: result.error });
      } catch (error) {
        setTold({ bad: true, text: unreached(error) });
      }
    });
  };
  return (
    <section aria-labelledby={`${field}-head`} className="flex min-w-0 flex-col gap-2 print:hidden">
      <h2 id={`${field}-head`} className="font-medium">
        More judges
      </h2>
      <div className="flex flex-wrap items-end gap-x-6 gap-y-3">
        <form
          aria-label="Another judge"
          className="flex flex-wrap items-end gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            send(
              () => judgeAction({ evaluationId: id, judge }),
              ({ jobId }) => router.push(`/jobs/${jobId}`),
            );
          }}
        >
          <div className="flex min-w-0 flex-col gap-1 text-sm text-muted">
            Reads the same windows
            <Select
              label="Judge that reads the same windows"
              value={judge}
              options={judges.map((value) => ({ value, label: visible(value) }))}
              onValueChange={setJudge}
              className="text-text"
            />
          </div>
          <Button type="submit" size="sm" disabled={busy}>
            <Gavel aria-hidden /> Judge them
          </Button>
        </form>
        {teachers.length === 0 ? null : (
          <form
            aria-label="Teach a judge"
            className="flex flex-wrap items-end gap-2"
            onSubmit={(event) => {
              event.preventDefault();
              send(
                () => teachJudgeAction({ measurement: id, from, name }),
                ({ judge: made }) => {
                  setTold({
                    bad: false,
                    text: `${made} is learned; choose it as a judge here or in a new measurement.`,
                  });
                  setJudge(made);
                  router.refresh();
                },
              );
            }}
          >
            <div className="flex min-w-0 flex-col gap-1 text-sm text-muted">
              Learns from
              <Select
                label="Learns from"
                value={from}
                options={teachers.map((value) => ({ value, label: visible(value) }))}
                onValueChange={setFrom}
                className="text-text"
              />
            </div>
            <label htmlFor={`${field}-name`} className="flex flex-col gap-1 text-sm text-muted">
              Name
              <Input
                id={`${field}-name`}
                value={name}
                onChange={(event) => setName(event.target.value)}
                placeholder="small letters, digits, dashes"
                className="w-48 text-text"
              />
            </label>
            <Button type="submit" size="sm" disabled={busy || name.trim() === ""}>
              <GraduationCap aria-hidden /> Teach
            </Button>
          </form>
        )}
      </div>
      {told === null ? null : (
        <p role={told.bad ? "alert" : "status"} className={told.bad ? "foreign text-sm text-bad" : "foreign text-sm"}>
          {visible(told.text)}
        </p>
      )}
    </section>
  );
}
