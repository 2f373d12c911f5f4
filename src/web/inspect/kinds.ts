// Kinds of actors in words.
import { useWords } from "../words/words.ts";

/** The name of a kind for headings and links; a kind without a name here is shown with its API name. */
export function useKindName(): (kind: string) => string {
  const actors: Readonly<Record<string, { readonly name: string }>> = useWords("actors");
  return (kind) => (Object.hasOwn(actors, kind) ? (actors[kind]?.name ?? kind) : kind);
}
