import type { Json } from "./types";

/** One small trajectory in each format, made up for tests. */
const chat: Json[] = [
  { role: "system", content: "You work in a shell." },
  { role: "user", content: "Count the lines of notes.txt." },
  {
    role: "assistant",
    content: "<think>\nwc will do.\n</think>\n\nLet me count.",
    tool_calls: [
      { id: "c1", type: "function", function: { name: "bash", arguments: '{"command": "wc -l notes.txt"}' } },
    ],
  },
  { role: "tool", tool_call_id: "c1", content: "3 notes.txt\n\n(exit_code=0)" },
  { role: "assistant", content: "No call here.", tool_calls: null },
  { role: "user", content: "Format error: your reply made no call." },
  {
    role: "assistant",
    content: null,
    tool_calls: [
      { id: "c2", type: "function", function: { name: "bash", arguments: '{"command":"true"}' } },
      { id: "c3", type: "function", function: { name: "bash", arguments: { command: "false" } } },
    ],
  },
  { role: "tool", tool_call_id: "c3", content: "(no output)\n\n(exit_code=1)" },
  { role: "tool", tool_call_id: "c2", content: "(no output)\n\n(exit_code=0)" },
];

const mini1: Json = {
  info: {
    exit_status: "Submitted",
    submission: "diff\n",
    model_stats: { instance_cost: 0.5, api_calls: 2 },
    mini_version: "1.15.0",
    config: { model: { model_name: "m" } },
  },
  messages: [
    { role: "system", content: "Use one bash block." },
    { role: "user", content: "Fix the bug." },
    {
      role: "assistant",
      content: "THOUGHT: look.\n\n```bash\nls -a\n```",
      extra: { response: { usage: { prompt_tokens: 10, completion_tokens: 2, cost: 0.25 } } },
    },
    { role: "user", content: "<returncode>2</returncode>\n<output>\nls: oops\n</output>" },
    { role: "assistant", content: "two\n```bash\na\n```\n```bash\nb\n```" },
    { role: "user", content: "Please give exactly one action." },
    { role: "assistant", content: "done\n```bash\necho COMPLETE\n```" },
    { role: "user", content: "diff\n" },
  ],
  trajectory_format: "mini-swe-agent-1",
  instance_id: "proj__proj-1",
};

const mini2: Json = {
  info: {
    exit_status: "Submitted",
    submission: "",
    model_stats: { instance_cost: 0, api_calls: 1 },
    mini_version: "2.4.6",
    config: {},
  },
  messages: [
    { role: "user", content: "Go." },
    {
      role: "assistant",
      content: null,
      tool_calls: [{ id: "a", type: "function", function: { name: "bash", arguments: '{"command": "cat big"}' } }],
      extra: { actions: [{ command: "cat big", tool_call_id: "a" }], cost: 0.1, timestamp: 1700000000.5 },
    },
    {
      role: "tool",
      tool_call_id: "a",
      content:
        "<returncode>0</returncode>\n<output_head>\nabc\n</output_head>\n<elided_chars>3 left out</elided_chars>\n<output_tail>\nxyz\n</output_tail>",
      extra: { raw_output: "abcdefxyz", returncode: 0, timestamp: 1700000001.5, exception_info: "" },
    },
    { role: "exit", content: "", extra: { exit_status: "Submitted", submission: "" } },
  ],
  trajectory_format: "mini-swe-agent-1.1",
};

const atif: Json = {
  schema_version: "ATIF-v1.6",
  session_id: "s1",
  agent: { name: "terminus-2", version: "2.0.0", model_name: "m" },
  steps: [
    { step_id: 1, source: "user", message: "Make a file.", is_copied_context: true },
    {
      step_id: 2,
      timestamp: "2025-01-01T00:00:00Z",
      source: "agent",
      message: "Two keys.",
      reasoning_content: "hm",
      tool_calls: [
        { tool_call_id: "k1", function_name: "bash_command", arguments: { keystrokes: "touch a\n", duration: 0.1 } },
        { tool_call_id: "k2", function_name: "mark_task_complete", arguments: {} },
      ],
      observation: { results: [{ content: "$ touch a\n" }] },
      metrics: { prompt_tokens: 5, completion_tokens: 2, cost_usd: 0.01 },
    },
    {
      step_id: 3,
      source: "system",
      message: "Summed up.",
      observation: { results: [{ subagent_trajectory_ref: [{ session_id: "inner" }] }] },
    },
  ],
  subagent_trajectories: [
    {
      schema_version: "ATIF-v1.6",
      session_id: "inner",
      agent: { name: "sub", version: "1" },
      steps: [{ step_id: 1, source: "user", message: "Sum up." }],
    },
  ],
};

const sweAgent: Json = {
  environment: "main",
  trajectory: [
    {
      action: "ls\n",
      observation: "a.py",
      response: "Look.\n```\nls\n```",
      thought: "Look.\n",
      state: '{"open_file": "n/a"}',
      execution_time: 0.5,
    },
  ],
  history: [
    { role: "system", content: "Rules.", agent: "primary" },
    { role: "user", content: "A demonstration.", agent: "primary", is_demo: true },
    { role: "user", content: "Issue.", agent: "primary" },
    { role: "assistant", content: "Look.\n```\nls\n```", thought: "Look.\n", action: "ls\n", agent: "primary" },
    { role: "user", content: "a.py\n(Open file: n/a)\nbash-$", agent: "primary" },
  ],
  info: {
    exit_status: "submitted (exit_cost)",
    submission: null,
    model_stats: { instance_cost: 0, tokens_sent: 0, tokens_received: 0, api_calls: 1 },
  },
};

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

const openHandsV0: Json = [
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

const openHandsV1: Json = [
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

const terminalBench: Json = {
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

const docent: Json = {
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

const whoAndWhen: Json = {
  is_correct: false,
  question: "?",
  question_ID: "q1",
  ground_truth: "8",
  history: [
    { content: "?", role: "human" },
    { content: "I look.", role: "WebSurfer" },
    { content: "Wrong.", role: "assistant", name: "Expert" },
  ],
  mistake_agent: "WebSurfer",
  mistake_step: "1",
  mistake_reason: "looked at the wrong page",
};

const magentic: Json = [
  { content: "?", role: "human" },
  { content: "Plan.", role: "Orchestrator (thought)" },
  { content: "Clicked.", role: "WebSurfer" },
];

export const SAMPLES: Record<string, Json> = {
  chat: { messages: chat, metadata: { task: "count", model: "m", trial: "count__1", reward: "0.0" } },
  "chat list": chat,
  mini1,
  mini2,
  atif,
  "swe-agent": sweAgent,
  inspect: { ...(inspectHead as { [key: string]: Json }), samples: [inspectSample] },
  "openhands v0": openHandsV0,
  "openhands v1": openHandsV1,
  "terminal-bench": terminalBench,
  docent,
  "who-and-when": whoAndWhen,
  agentrx: magentic,
};
