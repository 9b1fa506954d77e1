import { expect, test } from "vitest";
import { isBaseImage, planDockerfile } from "./dockerfile";

test("the supported subset becomes steps in order, with variables, modes and the work directory filled in", () => {
  const plan = planDockerfile(
    [
      "ARG TAG=12-slim",
      "FROM debian:${TAG}",
      'ENV ROOT=/srv NAME="a b"',
      "WORKDIR $ROOT/app",
      "COPY --chmod=0755 --chown=agent:agent bin/*.sh tools/",
      'COPY ["a b.txt", "/etc/a b.txt"]',
      "RUN mkdir -p data \\",
      "  # made here",
      "  && echo hi > data/x",
      "USER agent",
      'CMD ["bash"]',
    ].join("\n"),
  );
  expect(plan.refusals).toEqual([]);
  expect(plan.base).toBe("debian:12-slim");
  expect(plan.workdir).toBe("/srv/app");
  expect(plan.user).toBe("agent");
  expect(plan.env).toEqual({ ROOT: "/srv", NAME: "a b" });
  expect(plan.steps).toMatchObject([
    { kind: "workdir", path: "/srv/app" },
    { kind: "copy", sources: ["bin/*.sh"], to: "/srv/app/tools/", mode: 0o755 },
    { kind: "copy", sources: ["a b.txt"], to: "/etc/a b.txt", mode: null },
    {
      kind: "run",
      line: 7,
      argv: ["/bin/sh", "-c", expect.stringMatching(/^mkdir -p data\s+&& echo hi > data\/x$/)],
      workdir: "/srv/app",
    },
  ]);
  expect(plan.notes.join("\n")).toMatch(/line 5: --chown[\s\S]*line 11: CMD is not run/);
});

test("PATH can be extended, and RUN takes heredocs and the exec form as they are", () => {
  const plan = planDockerfile(
    'FROM misstep/base\nENV PATH=/opt/bin:$PATH\nRUN <<EOF\ncd /tmp\ntouch x\nEOF\nRUN ["bash", "-c", "echo a  b"]\n',
  );
  expect(plan.env.PATH).toMatch(/^\/opt\/bin:.*:\/usr\/bin:/);
  const runs = plan.steps.filter((step) => step.kind === "run");
  expect(runs[0]?.argv).toEqual(["/bin/sh", "-c", "cd /tmp\ntouch x"]);
  expect(runs[1]?.argv).toEqual(["bash", "-c", "echo a  b"]);
});

test.each([
  ["RUN apt-get update && apt-get install -y curl", /line 2: RUN needs a network.*apt-get update/],
  ["RUN cd /tmp && python3 -m pip install x", /RUN needs a network/],
  ["RUN if true; then curl -O https://x.example; fi", /RUN needs a network/],
  ["RUN --mount=type=secret,id=a true", /RUN --mount/],
  ["COPY --from=build /a /b", /another image/],
  ["ADD https://x.example/a.txt /a.txt", /ADD fetches/],
  ["ADD data.tar.gz /data", /ADD unpacks/],
  ["FROM debian:12", /several stages/],
  ["HEALTHCHECK CMD true", /HEALTHCHECK waits for a service/],
  ["ONBUILD RUN true", /ONBUILD is not supported/],
  ["FROBNICATE x", /FROBNICATE is not supported/],
])("%s is refused with its line", (line, reason) => {
  expect(planDockerfile(`FROM debian:12\n${line}\n`).refusals.join("\n")).toMatch(reason);
});

test("programs with harmless uses are not taken for network use", () => {
  expect(planDockerfile("FROM debian:12\nRUN apt-get clean; git init x; echo curl; npm --version\n").refusals).toEqual(
    [],
  );
});

test("only Debian 12 and our own name stand for the base", () => {
  for (const image of [
    "debian:12",
    "debian:bookworm",
    "debian:bookworm-slim",
    "debian:12.5-slim",
    "docker.io/library/debian:12",
    "misstep/base",
  ])
    expect(isBaseImage(image), image).toBe(true);
  for (const image of [
    "ubuntu:24.04",
    "debian",
    "debian:latest",
    "debian:11",
    "debian:120",
    "evil/debian:12",
    "python:3.13-slim",
    "",
  ])
    expect(isBaseImage(image), image).toBe(false);
});
