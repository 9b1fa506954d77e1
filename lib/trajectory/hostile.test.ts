import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { pack } from "tar-stream";
import { describe, expect, it } from "vitest";
import { inspectHead, inspectSample, SAMPLES } from "./samples";
import { importAll, importOne, scratch, zip } from "./testing";
import type { Json } from "./types";

const json = (value: Json) => Buffer.from(JSON.stringify(value, null, 2));
const twentieths = (bytes: Buffer) =>
  Array.from({ length: 20 }, (_, at) => bytes.subarray(0, Math.floor((bytes.length * at) / 20)));

async function tar(files: Record<string, Buffer>): Promise<Buffer> {
  const archive = pack();
  for (const [name, data] of Object.entries(files)) archive.entry({ name }, data);
  archive.finalize();
  const pieces: Buffer[] = [];
  for await (const piece of archive) pieces.push(Buffer.from(piece as Uint8Array));
  return Buffer.concat(pieces);
}

const trial = {
  "t__1/result.json": json({ trial_name: "t__1", task_name: "t", verifier_result: { rewards: { reward: 1 } } }),
  "t__1/config.json": json({ trial_name: "t__1" }),
  "t__1/agent/trajectory.json": json(SAMPLES["chat list"] as Json),
};

describe("files cut at every twentieth of their length", () => {
  for (const [name, sample] of Object.entries(SAMPLES)) {
    it(`${name}: a refusal with the position, never a crash or half a trajectory`, async () => {
      for (const bytes of twentieths(json(sample))) {
        const { trajectories, refused } = await importOne(bytes);
        expect(trajectories).toHaveLength(0);
        expect(refused).toHaveLength(1);
        if (bytes.length > 0)
          expect(refused[0]).toMatchObject({
            position: expect.stringMatching(/^line \d+:\d+$/),
            hint: expect.stringContaining("stops early"),
          });
      }
    });
  }

  it("JSON Lines: the whole lines before the cut come in", async () => {
    const lines = [1, 2, 3, 4].map((at) => JSON.stringify({ messages: SAMPLES["chat list"], id: `t${at}` }));
    const whole = Buffer.from(`${lines.join("\n")}\n`);
    for (const bytes of twentieths(whole).slice(1)) {
      const text = bytes.toString();
      const complete = text.split("\n").filter((line) => lines.includes(line)).length;
      const { trajectories, refused } = await importOne(bytes, "x.jsonl");
      expect(trajectories.map((item) => item.name)).toEqual(["t1", "t2", "t3", "t4"].slice(0, complete));
      expect(refused).toHaveLength(lines.includes(text.split("\n").at(-1) ?? "") || text.endsWith("\n") ? 0 : 1);
    }
  });

  it(".eval and .zip: the whole entries before the cut come in", async () => {
    const samples = [1, 2, 3].map((epoch) => ({
      name: `samples/a_epoch_${epoch}.json`,
      data: json({ ...(inspectSample as { [key: string]: Json }), epoch }),
    }));
    const log = zip([
      { name: "_journal/start.json", data: json(inspectHead) },
      ...samples,
      { name: "header.json", data: json(inspectHead) },
    ]);
    let most = 0;
    for (const bytes of twentieths(log)) {
      const { trajectories, refused } = await importOne(bytes, "log.eval");
      expect(refused.length).toBeGreaterThan(0);
      const own = trajectories.filter((item) => item.parentKey === null).length;
      expect(own).toBeGreaterThanOrEqual(most);
      most = own;
      expect(trajectories.every((item) => item.task === "hunt/a/b")).toBe(true);
    }
    expect(most).toBe(3);
    const archive = zip(Object.entries(trial).map(([name, data]) => ({ name, data })));
    for (const bytes of twentieths(archive))
      expect((await importOne(bytes, "trials.zip")).refused.length).toBeGreaterThan(0);
  });

  it(".tar and .tar.gz: the whole entries before the cut come in, and the cut is said", async () => {
    const noise = (seed: number) =>
      Array.from({ length: 400 }, (_, at) => Math.sin(seed * 1000 + at).toString(36)).join("");
    const files = Object.fromEntries(
      [1, 2, 3].map((at) => [`${at}.json`, json({ messages: SAMPLES["chat list"] as Json, id: noise(at) })]),
    );
    const plain = await tar(files);
    for (const [name, bytes] of [
      ["a.tar", plain],
      ["a.tar.gz", gzipSync(plain)],
    ] as const) {
      expect((await importOne(bytes, name)).trajectories).toHaveLength(3);
      let most = 0;
      for (const cut of twentieths(bytes).slice(0, 16)) {
        const { trajectories, refused } = await importOne(cut, name);
        expect(trajectories.length).toBeGreaterThanOrEqual(most);
        if (trajectories.length < 3) expect(refused.length).toBeGreaterThan(0);
        most = trajectories.length;
      }
      expect(most).toBeGreaterThan(0);
    }
  });

  it("a trial folder with one cut file: that file is named, nothing is invented", async () => {
    for (const name of ["t__1/result.json", "t__1/agent/trajectory.json"] as const) {
      for (const bytes of twentieths(trial[name]).slice(8)) {
        const { trajectories, refused } = await importAll(scratch({ ...trial, [name]: bytes }));
        expect(trajectories).toHaveLength(0);
        expect(refused[0]?.key).toContain(name.replace("t__1/", ""));
      }
    }
  });
});

describe("archives that lie", () => {
  const good = { name: "good.json", data: json(SAMPLES.chat as Json) };

  it("refuse entries that climb out, are absolute or are links; the rest is read", async () => {
    const bytes = zip([
      good,
      { name: "../../etc/x.json", data: good.data },
      { name: "/abs.json", data: good.data },
      { name: "a\\..\\b.json", data: good.data },
      { name: "link.json", data: Buffer.from("/etc/passwd"), link: true },
    ]);
    const { trajectories, refused } = await importOne(bytes, "a.zip");
    expect(trajectories).toHaveLength(1);
    expect(refused.map((item) => item.reason).sort()).toEqual(
      [
        "the entry has an absolute path",
        "the entry is a symbolic link",
        "the entry's name holds a backslash",
        "the entry's path climbs out of the archive (..)",
      ].sort(),
    );
    const archive = pack();
    archive.entry({ name: "../x.json" }, good.data);
    archive.entry({ name: "link.json", type: "symlink", linkname: "/etc/passwd" });
    archive.entry({ name: "good.json" }, good.data);
    archive.finalize();
    const pieces: Buffer[] = [];
    for await (const piece of archive) pieces.push(Buffer.from(piece as Uint8Array));
    const tarred = await importOne(Buffer.concat(pieces), "a.tar");
    expect(tarred.trajectories).toHaveLength(1);
    expect(tarred.refused).toHaveLength(2);
  });

  it("refuse zip bombs at once, by ratio, by stated size and by what really comes out", async () => {
    const start = performance.now();
    const zeros = Buffer.alloc(64 * 1024 * 1024);
    const ratio = await importOne(zip([{ name: "bomb.json", data: zeros }, good]), "a.zip");
    expect(ratio.trajectories).toHaveLength(1);
    expect(ratio.refused[0]?.reason).toContain("zip bomb");
    const lie = await importOne(zip([{ name: "bomb.json", data: zeros, stated: 1000 }, good]), "b.zip");
    expect(lie.trajectories).toHaveLength(1);
    expect(lie.refused[0]?.reason).toContain("more than it states");
    const huge = await importOne(zip([{ name: "bomb.json", data: Buffer.from("{}"), stated: 0xfffffff0 }]), "c.zip");
    expect(huge.refused[0]?.reason).toContain("MiB");
    const gz = await importOne(gzipSync(Buffer.alloc(256 * 1024 * 1024)), "d.tar.gz");
    expect(gz.refused[0]?.reason).toContain("192 MiB");
    expect(performance.now() - start).toBeLessThan(20_000);
  });

  it("are not opened inside each other", async () => {
    const { trajectories, refused } = await importOne(
      zip([{ name: "in.zip", data: zip([good]), method: 0 }, good]),
      "a.zip",
    );
    expect(trajectories).toHaveLength(1);
    expect(refused[0]).toMatchObject({
      reason: "an archive inside an archive is not opened",
      hint: expect.stringContaining("Unpack"),
    });
  });

  it("read zstd entries, and name compression that cannot be read", async () => {
    const log = zip([
      { name: "header.json", data: json(inspectHead), method: 93 },
      { name: "samples/a_epoch_2.json", data: json(inspectSample), method: 93 },
    ]);
    expect((await importOne(log, "log.eval")).trajectories[0]).toMatchObject({ format: "inspect", key: "a/b#2" });
    const odd = zip([good]);
    odd.writeUInt16LE(12, odd.indexOf(Buffer.from([0x50, 0x4b, 1, 2])) + 10);
    expect((await importOne(odd, "a.zip")).refused[0]?.reason).toContain("compression method 12");
  });
});

describe("folders that lie", () => {
  it("a symbolic link loop ends, a link out of the folder is not followed, a dangling one is named", async () => {
    const root = scratch({ "a/x.json": SAMPLES.chat as object });
    const outside = scratch({ "secret.json": SAMPLES.chat as object });
    symlinkSync(root, path.join(root, "a/loop"));
    symlinkSync(outside, path.join(root, "out"));
    symlinkSync(path.join(outside, "secret.json"), path.join(root, "file.json"));
    symlinkSync("nowhere", path.join(root, "gone"));
    symlinkSync("self", path.join(root, "self"));
    const { trajectories, skipped } = await importAll(root);
    expect(trajectories).toHaveLength(1);
    expect(skipped.map((item) => item.key).sort()).toEqual(["a/loop", "file.json", "gone", "out", "self"]);
  });

  it("very deep folders are given up with a reason", async () => {
    const root = scratch();
    mkdirSync(path.join(root, "d/".repeat(80)), { recursive: true });
    expect((await importAll(root)).skipped[0]?.reason).toContain("deeper than 64");
  });
});

it("nothing is written beside what is read", async () => {
  const root = scratch({ "a.zip": zip([{ name: "x.json", data: json(SAMPLES.chat as Json) }]) });
  const before = readFileSync(path.join(root, "a.zip"));
  await importAll(root);
  expect(readFileSync(path.join(root, "a.zip")).equals(before)).toBe(true);
});
