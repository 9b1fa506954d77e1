"use client";
import { useQueryStates } from "nuqs";
import { useTransition } from "react";
import { environmentParams } from "./search-params";

/** The list's URL state. `set` asks the server for new rows; `pending` until they are there. */
export function useEnvironmentParams() {
  const [pending, startTransition] = useTransition();
  const [params, set] = useQueryStates(environmentParams, {
    shallow: false,
    history: "push",
    scroll: false,
    startTransition,
  });
  return { params, set, pending };
}
