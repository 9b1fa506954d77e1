import { SUBMIT } from "@/scripts/sample/prompt";
import type { SampleSession, SampleTask } from "@/scripts/sample/types";

/** Hazard: one log has CRLF line ends, and DEBUG lines quote the word ERROR. */
const task: SampleTask = {
  name: "count-log-errors",
  instruction:
    "The folder /app/logs holds the logs of three milking robots. Count the lines of level ERROR in each and write /app/report.csv with the header robot,errors and one line a robot, sorted by name.",
  setup: `mkdir -p /app/logs && cd /app/logs
python3 - <<'EOF'
import random
random.seed(11)
for name, errors, crlf in [("alma", 7, False), ("berta", 12, True), ("cora", 0, False)]:
    lines = []
    for i in range(400):
        level = random.choice(["INFO", "INFO", "DEBUG", "WARN"])
        text = random.choice(["gate opened", "flow 1.8 l/min", "cup attached", "last state was ERROR, cleared"]) if level == "DEBUG" else random.choice(["gate opened", "flow 1.8 l/min", "cup attached"])
        lines.append(f"2026-01-04T{i // 60 + 4:02}:{i % 60:02}:00 {level} {text}")
    for at in random.sample(range(400), errors):
        lines[at] = f"2026-01-04T{at // 60 + 4:02}:{at % 60:02}:00 ERROR vacuum lost"
    end = "\\r\\n" if crlf else "\\n"
    with open(f"{name}.log", "w", newline="") as f:
        f.write(end.join(lines) + end)
EOF`,
  test: `ok=0
want=$'robot,errors\\nalma,7\\nberta,12\\ncora,0'
if [ ! -f report.csv ]; then echo "FAIL report: /app/report.csv is missing"; exit 1; fi
if grep -q $'\\r' report.csv; then echo "FAIL line-ends: carriage returns in report.csv"; ok=1; else echo "PASS line-ends"; fi
if [ "$(tr -d '\\r' <report.csv)" = "$want" ]; then echo "PASS counts"; else echo "FAIL counts: got"; cat report.csv; ok=1; fi
exit $ok`,
};

export const logsSessions: SampleSession[] = [
  {
    task,
    job: "careful",
    steps: [
      { think: "I start by looking at what is in the folder.", run: "ls -la /app/logs && wc -l /app/logs/*.log" },
      {
        think: "Three files of 400 lines. I look at how a line is built before I count anything.",
        run: "head -4 /app/logs/alma.log; file /app/logs/*.log",
      },
      {
        think:
          "The level is the second field. berta.log has CRLF ends, which must not get into the report. The word ERROR may stand in the text too, so I compare a plain grep with the field.",
        run: 'cd /app/logs && for f in *.log; do echo "$f word=$(grep -c ERROR $f) field=$(awk \'$2 == "ERROR"\' $f | wc -l)"; done',
      },
      {
        think: "They differ, so the word alone is wrong. I look at what the difference is.",
        run: "awk '/ERROR/ && $2 != \"ERROR\"' alma.log | head -3",
      },
      {
        think: "DEBUG lines quote it. I count by the field and write the report.",
        run: '{ echo robot,errors; for f in *.log; do echo "$(basename $f .log),$(awk \'$2 == "ERROR"\' "$f" | wc -l)"; done; } > /app/report.csv && cat -A /app/report.csv',
      },
      { think: "Right numbers, no carriage returns, sorted by name. Done.", run: SUBMIT },
    ],
  },
  {
    task,
    job: "hasty",
    steps: [
      { think: "Let me see the logs.", run: "cat /app/logs/*.log" },
      { think: "That is long. Let me list the files.", run: "ls /app/logs" },
      { think: "I count ERROR in each.", run: "cd /app/logs && grep -c ERROR *.log" },
      { think: "Let me check which files there are.", run: "ls /app/logs" },
      { think: "Let me count once more to be sure.", run: "cd /app/logs && grep -c ERROR *.log" },
      {
        think: "I write the report with these counts.",
        run: '(echo robot,errors; grep -c ERROR *.log | sed "s/.log:/,/") > /app/report.csv; cat /app/report.csv',
      },
      { think: "Looks fine.", run: SUBMIT },
    ],
  },
];
