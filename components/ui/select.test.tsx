import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";
import { Select } from "./select";

test("what is chosen stands in the page as the server draws it, so that nothing moves when the browser takes over", () => {
  const options = ["one", "two"].map((value) => ({ value, label: `Version ${value}` }));
  const html = renderToString(<Select label="Version" value="two" onValueChange={() => undefined} options={options} />);
  expect(html).toContain("Version two");
  expect(html).not.toContain("Version one");
});
