// Kinds of actors in words.
import { useWords } from "../words/words.ts";

/** The name of a kind for headings and links; a kind without a name here is shown with its API name. */
export function useKindName(): (kind: string) => string {
  const { kinds } = useWords("inspect");
  const names: Readonly<Record<string, string>> = kinds;
  return (kind) => (Object.hasOwn(names, kind) ? (names[kind] ?? kind) : kind);
}
