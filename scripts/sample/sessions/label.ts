import { SUBMIT } from "@/scripts/sample/prompt";
import type { SampleSession, SampleTask } from "@/scripts/sample/types";

/** Hazard: one digit of the number is unreadable; a checksum elsewhere decides it. */
const task: SampleTask = {
  name: "read-ear-tag",
  instruction:
    "/app/scan.txt is a poor scan of an ear tag. Write the tag's number, all digits, into /app/tag.txt. How tags are built is written in /app/manual.txt.",
  setup: `cd /app && cat > scan.txt <<'EOF'
+--------------+
|  DE 03 5#82  |
|  check: 4    |
+--------------+
EOF
{ echo "Ear tags of the farm"; echo; for i in $(seq 1 260); do echo "Note $i: keep the tag clean and dry, and replace it when it is torn."; done
echo "A tag is two letters, two digits for the county and four digits for the animal."
echo "The check digit is the sum of the six digits modulo 10."
for i in $(seq 261 300); do echo "Note $i: order new tags in time."; done; } > manual.txt`,
  test: `got=$(tr -cd 0-9 <tag.txt 2>/dev/null)
if [ "$got" = 035682 ]; then echo "PASS tag"; else echo "FAIL tag: got '$got'"; exit 1; fi`,
};

export const labelSessions: SampleSession[] = [
  {
    task,
    job: "careful",
    steps: [
      { think: "Both files first.", run: "cat /app/scan.txt; wc /app/manual.txt" },
      {
        think: "The second digit of the animal cannot be read. The manual is long; I look for how tags are checked.",
        run: "grep -n -i -E 'digit|check|sum' /app/manual.txt",
      },
      {
        think: "The six digits are 0 3 5 x 8 2 and their sum modulo 10 has to be 4. I let the machine try all ten.",
        run: 'python3 -c "print([x for x in range(10) if (0 + 3 + 5 + x + 8 + 2) % 10 == 4])"',
      },
      {
        think: "Exactly one digit fits. The number is 03 5682, written down as one.",
        run: "python3 -c \"s = '035682'; print(s, sum(map(int, s)) % 10)\" && echo 035682 > /app/tag.txt && cat /app/tag.txt",
      },
      { think: "The check digit agrees.", run: SUBMIT },
    ],
  },
  {
    task,
    job: "hasty",
    steps: [
      { think: "Read the scan.", run: "cat /app/scan.txt" },
      { think: "Read the manual.", run: "cat /app/manual.txt" },
      {
        think: "Too long, nothing about the smudge in it. The digit is hard to read, my best guess is 035982.",
        run: "echo 035982 > /app/tag.txt",
      },
      { think: "Check what I wrote.", run: "cat /app/tag.txt" },
      { think: "Written. That is the tag.", run: SUBMIT },
    ],
  },
];
