import { SUBMIT } from "@/scripts/sample/prompt";
import type { SampleSession, SampleTask } from "@/scripts/sample/types";

/** Hazard: the key stands in two sections. */
const task: SampleTask = {
  name: "set-the-port",
  instruction: "In /app/barn.ini set the port of the section [gate] to 7070. Nothing else may change.",
  setup: `cd /app && cat > barn.ini <<'EOF'
[milk]
; the tank's own port
port = 6000
host = tank.local

[gate]
host = gate.local
port = 6000
timeout = 30
EOF
cp barn.ini /etc/barn.ini.before`,
  test: `python3 - <<'EOF'
import configparser, sys
now, then = configparser.ConfigParser(), configparser.ConfigParser()
now.read("/app/barn.ini"); then.read("/etc/barn.ini.before")
bad = 0
if now.get("gate", "port", fallback=None) == "7070": print("PASS gate port")
else: print("FAIL gate port:", now.get("gate", "port", fallback=None)); bad = 1
then["gate"]["port"] = now.get("gate", "port", fallback="")
if now == then: print("PASS rest unchanged")
else: print("FAIL rest unchanged: [milk] port is", now.get("milk", "port", fallback=None)); bad = 1
sys.exit(bad)
EOF`,
};

export const configSessions: SampleSession[] = [
  {
    task,
    job: "careful",
    steps: [
      { think: "Look at the file before editing it.", run: "cat -n /app/barn.ini" },
      {
        think: "port stands in both sections. I keep a copy and change it only between [gate] and the next section.",
        run: "cp /app/barn.ini /tmp/barn.ini && sed -i '/^\\[gate\\]/,/^\\[/ s/^port = .*/port = 7070/' /app/barn.ini",
      },
      { think: "The difference has to be that one line.", run: "diff /tmp/barn.ini /app/barn.ini" },
      {
        think: "One line, in the right section. I also read it the way a program would.",
        run: "python3 -c \"import configparser; c = configparser.ConfigParser(); c.read('/app/barn.ini'); print(dict(c['gate']), dict(c['milk']))\"",
      },
      { think: "Right. Submit.", run: SUBMIT },
    ],
  },
  {
    task,
    job: "hasty",
    steps: [
      { think: "Find the port.", run: "grep -n port /app/barn.ini" },
      { think: "Let me see who else uses it.", run: "ls /app" },
      { think: "Same search again to get the line.", run: "grep -n port /app/barn.ini" },
      { think: "Replace 6000 by 7070.", run: "sed -i 's/port = 6000/port = 7070/' /app/barn.ini" },
      { think: "The port is set.", say: "The port of the gate is now 7070 and the task is complete.", run: SUBMIT },
    ],
  },
];
