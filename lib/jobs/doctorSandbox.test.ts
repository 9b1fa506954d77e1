import { expect, it } from "vitest";
import type { DriverStatus } from "@/lib/sandbox/types";
import { driverChecks } from "./doctorSandbox";

const missing = (driver: DriverStatus["driver"]): DriverStatus => ({
  driver,
  usable: false,
  version: null,
  reason: "not installed",
  install: `apt-get install ${driver}`,
  notes: [],
});
const working: DriverStatus = {
  driver: "bubblewrap",
  usable: true,
  version: "0.8.0",
  reason: null,
  install: null,
  notes: ["limited"],
};

it("a driver that is missing beside one that works is no warning, but says what to install", () => {
  expect(driverChecks([working, missing("podman")])).toMatchObject([
    { level: "ok", detail: "0.8.0; limited", fix: null },
    { level: "off", detail: "not installed", fix: "apt-get install podman" },
  ]);
});

it("without any driver it warns once, at the one to install first", () => {
  const levels = driverChecks([missing("bubblewrap"), missing("podman")]).map((c) => c.level);
  expect(levels).toEqual(["warn", "off"]);
});
