// The reader's language for why a node is not served.
import { useMemo } from "react";
import { translateCauses, type TranslateCause } from "./translate.ts";
import { useWords } from "./words.ts";

export function useCause(): TranslateCause {
  const problems = useWords("problems");
  const messages = useWords("messages");
  return useMemo(() => translateCauses({ problems, messages }), [problems, messages]);
}
