import { expect, test } from "vitest";
import { pathAfter } from "./send";

test.each([
  ["/trajectories?q=a&sort=newest", "/trajectories?q=a&sort=newest"],
  [undefined, "/"],
  ["https://evil.example/", "/"],
  ["//evil.example", "/"],
  ["/\\evil.example", "/"],
  ["/\t/evil.example", "/"],
  ["javascript:alert(1)", "/"],
  ["/sign-in?next=/x", "/"],
])("after sign-in %s leads to %s", (next, path) => expect(pathAfter(next)).toBe(path));
