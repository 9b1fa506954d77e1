import { expect, test } from "vitest";
import { readOrigins, secureCookies } from "./origins";

test("origins are whole addresses without path or star; cookies are secure when all are https", () => {
  expect(readOrigins("https://A.example/, http://10.0.0.5:3737")).toEqual([
    "https://a.example",
    "http://10.0.0.5:3737",
  ]);
  expect(readOrigins("")).toEqual([]);
  for (const bad of [
    "a.example",
    "https://*.example",
    "https://a.example/x",
    "ftp://a.example",
    "https://u:p@a.example",
    "*",
  ])
    expect(() => readOrigins(bad)).toThrow(/no origin/);
  expect(secureCookies(readOrigins("https://a.example"))).toBe(true);
  expect(secureCookies(readOrigins("https://a.example,http://b.example"))).toBe(false);
  expect(secureCookies([])).toBe(false);
});
