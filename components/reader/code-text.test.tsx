// @vitest-environment happy-dom
import { cleanup, render } from "@testing-library/react";
import { renderToString } from "react-dom/server";
import { afterEach, expect, test } from "vitest";
import { CodeText } from "./code-text";

afterEach(cleanup);

const view = (text: string) => <CodeText label="file" note="file, 0 B" json={JSON.stringify([["", text]])} />;

test("an empty file says so", () => {
  const { container } = render(view(""));
  expect(container.querySelector("pre")?.textContent).toBe("empty");
});

test("no line feed stands right after <pre>, where browsers drop it and the page would differ from the server's", () => {
  for (const text of ["", "\n", "\n\nfirst"]) expect(renderToString(view(text))).not.toMatch(/<pre[^>]*>\n/);
});
