// The reader's language for the events of the catalogue.
import { useCallback } from "react";
import { translateRaised } from "./translate.ts";
import { useWords } from "./words.ts";

export function useRaised(): (event: string) => string {
  const raised = useWords("raised");
  return useCallback((event) => translateRaised(raised, event), [raised]);
}
