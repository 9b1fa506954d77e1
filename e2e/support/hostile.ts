/** Everything a hostile trajectory may try, in one text. `name` makes each field's copy recognisable. */
export const hostile = (name: string): string =>
  [
    `${name}<script>window.pwned=1</script>`,
    `<img src="http://evil.example/${name}.png" onerror="window.pwned=1">`,
    `<a href="javascript:window.pwned=1">click</a>`,
    `[link](http://evil.example/md) **bold** [bold] {{x}}`,
    `\u001b]8;;http://evil.example/osc\u0007osc link\u001b]8;;\u0007`,
    `\u001b]0;owned title\u0007\u001b]52;c;ZXZpbA==\u0007`,
    `\u202egnp.exe\u202c \u2066hidden\u2069 zero\u200bwidth`,
    `nul\u0000byte \ud800 lone`,
  ].join(" ");

/** A Harbor trial's files with hostile text in every field people see. */
export function hostileTrial(): Record<string, string> {
  const h = hostile;
  const steps = [
    { step_id: 1, source: "user", message: h("userText") },
    {
      step_id: 2,
      source: "agent",
      message: h("messageText"),
      reasoning_content: h("thinkingText"),
      tool_calls: [
        {
          tool_call_id: "c1",
          function_name: "bash",
          arguments: { command: `cat /tmp/photo.png # ${h("commandText")}` },
        },
      ],
      observation: { results: [{ source_call_id: "c1", content: h("outputText") }] },
    },
    {
      step_id: 3,
      source: "agent",
      message: "",
      tool_calls: [
        { tool_call_id: "c2", function_name: h("toolText"), arguments: { [h("keyText")]: h("argumentText") } },
      ],
      observation: { results: [{ source_call_id: "c2", content: h("resultText") }] },
    },
  ];
  const trajectory = {
    schema_version: "ATIF-v1.6",
    session_id: h("sessionText"),
    agent: { name: h("agentText"), version: h("versionText"), model_name: h("modelText") },
    steps,
    notes: h("notesText"),
  };
  const result = {
    id: "00000000-0000-4000-8000-000000000001",
    task_name: h("taskText"),
    trial_name: h("trialText"),
    agent_info: { name: h("agentText"), version: "1", model_info: { name: h("modelText"), provider: "p" } },
    verifier_result: { rewards: { reward: 0 } },
    exception_info: {
      exception_type: h("exceptionText"),
      exception_message: h("exceptionMessage"),
      exception_traceback: h("tracebackText"),
    },
    started_at: "2026-01-01T00:00:00Z",
    finished_at: "2026-01-01T00:01:00Z",
  };
  return {
    "result.json": JSON.stringify(result),
    "config.json": JSON.stringify({ trial_name: h("trialText"), task: { path: h("taskText") } }),
    "agent/trajectory.json": JSON.stringify(trajectory),
    "verifier/reward.txt": "0\n",
    "verifier/test-stdout.txt": h("verifierText"),
  };
}
