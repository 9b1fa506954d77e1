import { docent, inspectHead, inspectSample, openHandsV0, openHandsV1, terminalBench } from "./samples-logs";
import type { Json } from "./types";

export { inspectHead, inspectSample };

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

/** One small trajectory in each format, made up for tests. */
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
