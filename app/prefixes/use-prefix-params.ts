"use client";
import { useQueryStates } from "nuqs";
import { useTransition } from "react";
import { prefixParams } from "./search-params";

/** The list's URL state. `set` asks the server for new rows; `pending` until they are there. */
export function usePrefixParams() {
  const [pending, startTransition] = useTransition();
  const [params, set] = useQueryStates(prefixParams, {
    shallow: false,
    history: "push",
    scroll: false,
    startTransition,
  });
  return { params, set, pending };
}
