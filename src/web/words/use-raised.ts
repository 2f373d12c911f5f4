// The reader's language for the events of the catalogue.
import { useCallback } from "react";
import { translateRaised } from "./translate.ts";
import { useWords } from "./words.ts";

/** `reason`: the event's own, where it has one. */
export function useRaised(): (event: string, reason?: unknown) => string {
  const raised = useWords("raised");
  const byReason = useWords("raisedFor");
  return useCallback((event, reason) => translateRaised(raised, byReason, event, reason), [raised, byReason]);
}
