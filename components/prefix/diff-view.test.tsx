// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { difference } from "@/lib/prefix/difference";
import { DiffView } from "./diff-view";

afterEach(cleanup);

const marks = (tag: string) => [...document.querySelectorAll(tag)].map((e) => e.textContent);

test("what changed is marked as deleted on the recorded side and as inserted on the rerun's", () => {
  render(<DiffView difference={difference("now 18:30:08\n\nend", "now 18:30:09\n\nend")} />);
  expect(marks("del")).toEqual(["8"]);
  expect(marks("ins")).toEqual(["9"]);
});

test("long equal stretches are folded, say how long they are, and open", () => {
  const lines = Array.from({ length: 60 }, (_, i) => `line ${i}`).join("\n");
  render(<DiffView difference={difference(`${lines}\na`, `${lines}\nb`)} />);
  expect(screen.queryByText("line 5")).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: "57 equal lines: show" }));
  expect(screen.getAllByText("line 5").length).toBe(2);
});

test("text of a trajectory is never markup, and what is invisible is shown", () => {
  render(<DiffView difference={difference("<b>x</b>\u202ea", "<b>x</b>\u202eb")} />);
  expect(document.querySelector("b")).toBeNull();
  expect(screen.getAllByRole("img", { name: /right-to-left override/ }).length).toBe(2);
});

test("what was not worked out is said", () => {
  const view = { ...difference("a", "b"), cut: ["5 of 9 lines are not shown"] };
  render(<DiffView difference={view} />);
  expect(screen.getByText("5 of 9 lines are not shown.")).toBeTruthy();
});
