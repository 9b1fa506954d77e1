"use client";
import { useQueryStates } from "nuqs";
import { useTransition } from "react";
import { modelParams } from "./search-params";

/** The list's URL state. `set` asks the server for new rows; `pending` until they are there. */
export function useModelParams() {
  const [pending, startTransition] = useTransition();
  const [params, set] = useQueryStates(modelParams, {
    shallow: false,
    history: "push",
    scroll: false,
    startTransition,
  });
  return { params, set, pending };
}
