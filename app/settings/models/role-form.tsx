"use client";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import type { RoleSetting } from "@/lib/model/chat/settings";
import type { RoleName, Thinking } from "@/lib/model/chat/types";
import { saveRoleAction } from "./actions";
import { ChoiceField, Form, FormDialog, numberOf, TextField, textOf, useAction } from "./form";
import { THINKING_OPTIONS } from "./model-form";

const NOBODY = "(nobody)";
const AS_MODEL = "(model)";

interface Props {
  role: RoleName;
  setting: RoleSetting | null;
  models: string[];
  /** Where the setting says nothing. */
  temperature: number;
}

function RoleForm({ role, setting, models, temperature: standard, close }: Props & { close: () => void }) {
  const { busy, error, run } = useAction();
  const [model, setModel] = useState(setting?.model ?? NOBODY);
  const [temperature, setTemperature] = useState(textOf(setting?.temperature));
  const [thinking, setThinking] = useState<string>(setting?.thinking ?? AS_MODEL);
  const submit = () =>
    run(
      () =>
        saveRoleAction({
          role,
          setting:
            model === NOBODY
              ? null
              : {
                  model,
                  temperature: numberOf(temperature),
                  thinking: thinking === AS_MODEL ? undefined : (thinking as Thinking),
                },
        }),
      close,
    );
  return (
    <Form label={`Role ${role}`} busy={busy} error={error} onSubmit={submit} onCancel={close}>
      <ChoiceField
        label="Model"
        value={model}
        onValueChange={setModel}
        options={[
          { value: NOBODY, label: "none: the built-in rules, where there are any" },
          ...models.map((name) => ({ value: name, label: name })),
        ]}
      />
      {model === NOBODY ? null : (
        <>
          <TextField
            label="Temperature"
            type="number"
            min={0}
            max={2}
            step="any"
            value={temperature}
            onChange={setTemperature}
            hint={`Empty: ${standard}, as the paper has it`}
          />
          <ChoiceField
            label="Thinking"
            value={thinking}
            onValueChange={setThinking}
            options={[{ value: AS_MODEL, label: "as the model is set" }, ...THINKING_OPTIONS]}
          />
        </>
      )}
    </Form>
  );
}

/** Gives a role to a model. */
export function RoleDialog(props: Props) {
  return (
    <FormDialog
      title={`Role ${props.role}`}
      trigger={
        <Button size="sm" aria-label={`Edit role ${props.role}`}>
          Edit
        </Button>
      }
    >
      {(close) => <RoleForm {...props} close={close} />}
    </FormDialog>
  );
}
