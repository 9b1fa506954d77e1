import type { Json } from "./types";

/** Small made-up logs of harnesses and frameworks, for tests. */
export const inspectSample: Json = {
  id: "a/b",
  epoch: 2,
  input: "Find it.",
  target: "x",
  messages: [
    { role: "user", content: "attachment://h1", source: "input" },
    {
      id: "m1",
      role: "assistant",
      content: "Trying.",
      tool_calls: [{ id: "t1", function: "bash", arguments: { cmd: "ls" }, type: "function" }],
    },
    {
      role: "tool",
      content: "cut…",
      tool_call_id: "t1",
      function: "bash",
      error: { type: "timeout", message: "too slow" },
    },
  ],
  scores: { includes: { value: "C" } },
  attachments: { h1: "Find it, please." },
  events: [
    {
      event: "model",
      timestamp: "2025-01-01T00:00:01Z",
      output: {
        choices: [{ message: { id: "m1", role: "assistant", content: "Trying." } }],
        usage: { input_tokens: 7, output_tokens: 3, total_tokens: 10 },
      },
    },
    {
      event: "tool",
      id: "t1",
      function: "bash",
      timestamp: "2025-01-01T00:00:02Z",
      completed: "2025-01-01T00:00:04.500Z",
      result: "cut off before this",
    },
    {
      event: "subtask",
      name: "search",
      events: [
        {
          event: "model",
          input: [{ role: "user", content: "Search." }],
          output: { choices: [{ message: { role: "assistant", content: "Found." } }] },
        },
      ],
    },
  ],
  model_usage: { m: { input_tokens: 7, output_tokens: 3, total_tokens: 10 } },
};

export const inspectHead: Json = {
  version: 2,
  status: "success",
  eval: { eval_id: "e", run_id: "r", task: "hunt", model: "m", dataset: { name: "d" } },
  plan: {},
};

export const openHandsV0: Json = [
  {
    id: 0,
    timestamp: "2025-01-01T00:00:00.000000",
    source: "user",
    message: "Do it.",
    action: "message",
    args: { content: "Do it." },
  },
  {
    id: 1,
    timestamp: "2025-01-01T00:00:01.000000",
    source: "agent",
    message: "Running command: ls",
    action: "run",
    args: { command: "ls", thought: "Look first." },
    tool_call_metadata: {
      function_name: "execute_bash",
      tool_call_id: "t",
      model_response: {
        id: "r1",
        model: "m",
        choices: [
          {
            message: {
              content: "Look first.",
              tool_calls: [{ id: "t", function: { name: "execute_bash", arguments: '{"command": "ls"}' } }],
            },
          },
        ],
        usage: { prompt_tokens: 4, completion_tokens: 1 },
      },
    },
  },
  {
    id: 2,
    timestamp: "2025-01-01T00:00:03.000000",
    source: "agent",
    message: "ran",
    cause: 1,
    observation: "run",
    content: "a.py",
    extras: { command: "ls", metadata: { exit_code: 0 } },
  },
  {
    id: 4,
    timestamp: "2025-01-01T00:00:04.000000",
    source: "environment",
    message: "",
    observation: "agent_state_changed",
    content: "",
    extras: { agent_state: "finished" },
  },
];

export const openHandsV1: Json = [
  {
    kind: "SystemPromptEvent",
    id: "e0",
    source: "agent",
    timestamp: "2025-01-01T00:00:00",
    system_prompt: { type: "text", text: "Rules." },
  },
  {
    kind: "MessageEvent",
    id: "e1",
    source: "user",
    timestamp: "2025-01-01T00:00:01",
    llm_message: { role: "user", content: [{ type: "text", text: "Do it." }] },
  },
  {
    kind: "ActionEvent",
    id: "e2",
    source: "agent",
    timestamp: "2025-01-01T00:00:02",
    thought: [{ type: "text", text: "Both." }],
    reasoning_content: "plan",
    tool_name: "terminal",
    tool_call_id: "t1",
    tool_call: { id: "t1", name: "terminal", arguments: '{"command": "ls"}' },
    llm_response_id: "r1",
  },
  {
    kind: "ActionEvent",
    id: "e3",
    source: "agent",
    timestamp: "2025-01-01T00:00:02",
    thought: [],
    tool_name: "terminal",
    tool_call_id: "t2",
    tool_call: { id: "t2", name: "terminal", arguments: '{"command": "pwd"}' },
    llm_response_id: "r1",
  },
  {
    kind: "ObservationEvent",
    id: "e4",
    source: "environment",
    timestamp: "2025-01-01T00:00:03",
    action_id: "e3",
    tool_call_id: "t2",
    observation: { kind: "TerminalObservation", content: [{ type: "text", text: "/" }], exit_code: 0 },
  },
  {
    kind: "AgentErrorEvent",
    id: "e5",
    source: "agent",
    timestamp: "2025-01-01T00:00:04",
    tool_call_id: "t1",
    error: "no such tool",
  },
];

export const terminalBench: Json = {
  id: "run",
  results: [
    {
      id: "t1",
      trial_name: "job.easy.2-of-2.run",
      task_id: "job.easy",
      instruction: "Do it.",
      is_resolved: true,
      failure_mode: "unset",
      parser_results: { test_a: "passed" },
      total_input_tokens: 0,
      total_output_tokens: 0,
      trial_started_at: "2025-01-01T00:00:00+00:00",
      trial_ended_at: "2025-01-01T00:01:00+00:00",
    },
    {
      id: "t2",
      trial_name: "job.easy.1-of-2.run",
      task_id: "job.easy",
      instruction: "Do it.",
      is_resolved: false,
      failure_mode: "agent_installation_failed",
      parser_results: null,
      total_input_tokens: 9,
      total_output_tokens: 1,
    },
  ],
  accuracy: 0.5,
};

export const docent: Json = {
  id: "run",
  name: "a run",
  transcripts: [
    {
      id: "t",
      messages: [
        { role: "user", content: "Hi." },
        {
          role: "assistant",
          content: [
            { type: "reasoning", reasoning: "hm" },
            { type: "text", text: "Hello." },
          ],
        },
      ],
      metadata: {},
    },
  ],
  metadata: { scores: { reward: 0.5 }, task_id: "greet" },
};
