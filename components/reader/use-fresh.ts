"use client";
import { useRouter } from "next/navigation";
import { useEffect } from "react";

/** Asks the server for the page again when its tab is looked at anew: a trajectory may have grown meanwhile. */
export function useFresh(): void {
  const router = useRouter();
  useEffect(() => {
    const look = () => {
      if (document.visibilityState === "visible") router.refresh();
    };
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, [router]);
}
