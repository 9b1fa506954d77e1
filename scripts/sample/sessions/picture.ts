import { SUBMIT } from "@/scripts/sample/prompt";
import type { SampleSession, SampleTask } from "@/scripts/sample/types";

/** Hazard: the file's name says photo.dat; the size is in the PNG header. */
const task: SampleTask = {
  name: "picture-size",
  instruction:
    "/app/photo.png is a picture of the barn. Write its width and height in pixels into /app/size.txt, as WIDTHxHEIGHT.",
  setup: `cd /app && python3 - <<'EOF'
import random
import struct
import zlib
random.seed(5)
w, h = 83, 41
raw = b"".join(b"\\0" + bytes(random.randrange(256) for _ in range(3 * w)) for _ in range(h))
def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
with open("photo.png", "wb") as f:
    f.write(b"\\x89PNG\\r\\n\\x1a\\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", w, h, 8, 2, 0, 0, 0)) + chunk(b"IDAT", zlib.compress(raw)) + chunk(b"IEND", b""))
EOF`,
  test: `if [ "$(cat size.txt 2>/dev/null)" = 83x41 ]; then echo "PASS size"; else echo "FAIL size: $(cat size.txt 2>&1)"; exit 1; fi`,
};

export const pictureSessions: SampleSession[] = [
  {
    task,
    job: "careful",
    steps: [
      { think: "I ask for the type first.", run: "file /app/photo.png" },
      {
        think: "file gives 83 x 41. I check it against the header bytes: width and height are big-endian at offset 16.",
        run: "xxd -s 16 -l 8 /app/photo.png",
      },
      { think: "0x53 is 83 and 0x29 is 41. Both agree.", run: "echo 83x41 > /app/size.txt && cat /app/size.txt" },
      { think: "Done.", run: SUBMIT },
    ],
  },
  {
    task,
    job: "hasty",
    steps: [
      { think: "Let me look at the picture.", run: "head -c 600 /app/photo.png" },
      { think: "Not readable. Maybe the end tells more.", run: "tail -n 2 /app/photo.png" },
      { think: "Try a tool.", run: "identify /app/photo.png" },
      { think: "Not there. I try again with its full output.", run: "identify /app/photo.png 2>&1" },
      { think: "Use file.", run: "file /app/photo.png" },
      { think: "83 x 41.", run: "echo 83x41 > /app/size.txt" },
      { think: "Check the type again before I submit.", run: "file /app/photo.png" },
      { think: "Yes.", run: SUBMIT },
    ],
  },
];
