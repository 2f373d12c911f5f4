// The reader's language for what a connected node does not serve.
import { useMemo } from "react";
import { translateNotices, type TranslateNotice } from "./translate.ts";
import { useWords } from "./words.ts";

export function useNotice(): TranslateNotice {
  const notices = useWords("notices");
  return useMemo(() => translateNotices(notices), [notices]);
}
