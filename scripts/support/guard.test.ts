import { expect, test } from "vitest";
import { addressOf, isMethod, isPath, policy, refusal } from "./guard";

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

const OURS = ["https://misstep.example.org"];
test.each([
  ["the name people open", { host: "misstep.example.org", origin: "https://misstep.example.org" }, false],
  ["the same in capitals", { host: "Misstep.Example.org" }, false],
  [
    "a proxy that puts its own name into Host",
    { host: "127.0.0.1:3737", origin: "https://misstep.example.org" },
    false,
  ],
  ["loopback still", { host: "127.0.0.1:3737", origin: "http://127.0.0.1:3737" }, false],
  ["a name below ours", { host: "x.misstep.example.org" }, true],
  ["a name that ends like ours", { host: "evilmisstep.example.org" }, true],
  ["our name on another port", { host: "misstep.example.org:8080" }, true],
  ["the machine's address", { host: "10.0.0.5:3737" }, true],
  ["our name without encryption", { host: "misstep.example.org", origin: "http://misstep.example.org" }, true],
  ["another site's post", { host: "misstep.example.org", origin: "https://evil.example" }, true],
])("with an origin: %s", (_name, headers, refused) => {
  expect(refusal({ headers, url: "/import" }, OURS) !== null).toBe(refused);
});

test("who calls is believed of a proxy on this machine only, and of it only its own word", () => {
  const said = { headers: { "x-forwarded-for": "6.6.6.6, 10.0.0.9" } };
  expect(addressOf(said, "::ffff:127.0.0.1", OURS)).toBe("10.0.0.9");
  expect(addressOf(said, "10.0.0.7", OURS)).toBe("10.0.0.7");
  expect(addressOf(said, "127.0.0.1", [])).toBe("127.0.0.1");
  expect(addressOf({ headers: {} }, "127.0.0.1", OURS)).toBe("127.0.0.1");
});

test.each(["http://[::1", "//[", "//host/x", "*", "", undefined, "/api/v1/jobs/%ED%A0%BD", "/jobs/%zz", "/%"])(
  "%s is no path, and never reaches the router",
  (target) => {
    expect(isPath(target)).toBe(false);
  },
);

test("methods that are no request to a page are refused before the router", () => {
  expect(["GET", "HEAD", "POST", "DELETE"].every(isMethod)).toBe(true);
  expect(["TRACE", "CONNECT", "get", "", undefined].some(isMethod)).toBe(false);
});

test("ordinary addresses are paths", () => {
  for (const target of ["/", "/trajectories?q=a//b", "/api/x?u=http://y", "/x%20y/%E2%98%83", "/search?q=100%"])
    expect(isPath(target)).toBe(true);
});

test("scripts need the nonce, and nothing is fetched from elsewhere", () => {
  const value = policy("abc", false);
  expect(value).toContain("script-src 'self' 'nonce-abc'");
  expect(value).not.toContain("unsafe-eval");
  expect(value).toContain("default-src 'none'");
});
