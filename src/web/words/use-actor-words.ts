// The reader's language for what the charts say: states, events, deadlines, and why an actor takes none.
import { translateActors, type ActorTranslator, type ActorWords } from "./translate.ts";
import { useWords } from "./words.ts";

const known = new WeakMap<ActorWords["actors"], ActorTranslator>();

/** One translator for each language, so that callers can cache what they build with it. */
export function useActorWords(): ActorTranslator {
  const actors = useWords("actors");
  const inspect = useWords("inspect");
  const problems = useWords("problems");
  const translator = known.get(actors) ?? translateActors({ actors, inspect, problems });
  known.set(actors, translator);
  return translator;
}
