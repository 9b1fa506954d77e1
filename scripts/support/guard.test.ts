import { expect, test } from "vitest";
import { isPath, policy, refusal } from "./guard";

test.each([
  ["own page", { host: "127.0.0.1:3737" }, "/", false],
  ["own action", { host: "localhost:3737", origin: "http://localhost:3737" }, "/import", false],
  ["IPv6 loopback", { host: "[::1]:3737" }, "/", false],
  ["rebound name", { host: "evil.example:3737" }, "/", true],
  ["name that starts like ours", { host: "127.0.0.1.evil.example" }, "/", true],
  ["no host", {}, "/", true],
  ["other site's post", { host: "127.0.0.1:3737", origin: "https://evil.example" }, "/import", true],
  ["other port's post", { host: "127.0.0.1:3737", origin: "http://127.0.0.1:9999" }, "/import", true],
  ["sandboxed frame", { host: "127.0.0.1:3737", origin: "null" }, "/import", true],
  ["API call embedded elsewhere", { host: "127.0.0.1:3737", "sec-fetch-site": "cross-site" }, "/api/jobs", true],
  ["link from elsewhere", { host: "127.0.0.1:3737", "sec-fetch-site": "cross-site" }, "/trajectories", false],
])("%s", (_name, headers, url, refused) => {
  expect(refusal({ headers, url }) !== null).toBe(refused);
});

test.each(["http://[::1", "//[", "//host/x", "*", "", undefined])(
  "%s is no path, and never reaches the router",
  (target) => {
    expect(isPath(target)).toBe(false);
  },
);

test("ordinary addresses are paths", () => {
  for (const target of ["/", "/trajectories?q=a//b", "/api/x?u=http://y"]) expect(isPath(target)).toBe(true);
});

test("scripts need the nonce, and nothing is fetched from elsewhere", () => {
  const value = policy("abc", false);
  expect(value).toContain("script-src 'self' 'nonce-abc'");
  expect(value).not.toContain("unsafe-eval");
  expect(value).toContain("default-src 'none'");
});
