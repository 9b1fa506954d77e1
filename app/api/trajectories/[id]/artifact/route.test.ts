import { expect, test, vi } from "vitest";
import { GET } from "./route";

vi.mock("@/app/actor", () => ({ currentActor: async () => ({ personId: null, name: "web", role: "admin" }) }));

test.each([
  ["abc", "index=0"],
  ["-1", "index=0"],
  ["1e99", "index=0"],
  ["1", ""],
  ["1", "index=x"],
])("artifact of %s?%s is a wrong call, not a failure of the server", async (id, query) => {
  const request = new Request(`http://127.0.0.1/api/trajectories/x/artifact?${query}`);
  expect((await GET(request, { params: Promise.resolve({ id }) })).status).toBe(400);
});
