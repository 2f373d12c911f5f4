// What the settings are called in the person's language.
import { useWords } from "../words/words.ts";

/** What people call a setting; one that the page does not know is called by its key. */
export type LabelOf = (key: string) => string;

export function useLabels(): LabelOf {
  const labels = useWords("settingLabels");
  return (key) => Object.entries(labels).find(([name]) => name === key)?.[1] ?? key;
}
