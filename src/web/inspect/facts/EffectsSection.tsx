// What runs for the actor: residents for as long as the state lasts, and work that is tried until it succeeds, with its
// attempt, its last error and its next try.
import { Countdown } from "../../parts/Ago.tsx";
import { useFormat } from "../../format/use-format.ts";
import { useActorWords } from "../../words/use-actor-words.ts";
import { useWords } from "../../words/words.ts";
import classes from "./facts.module.css";
import { Section } from "./Section.tsx";
import type { ActorDetail } from "../wire.ts";

export function EffectsSection({ actor }: { readonly actor: ActorDetail }) {
  const words = useWords("inspect").actor;
  const { problem } = useActorWords();
  const format = useFormat();
  const residents = actor.running.filter((src) => !actor.effects.some((effect) => effect.src === src));
  if (residents.length === 0 && actor.effects.length === 0) return null;
  return (
    <Section title={words.running}>
      {actor.effects.map(({ id, src, attempt, maxAttempts, nextAttemptAt, lastError, lastCause }) => (
        <div key={id} className={classes["card"]}>
          <div className={classes["wake"]}>
            <bdi dir="ltr" className={classes["strong"]}>
              {src}
            </bdi>
            <span className={classes["left"]}>
              {maxAttempts > 0
                ? words.attempt(format.number(Math.max(1, attempt)), format.number(maxAttempts))
                : words.attemptOnly(format.number(Math.max(1, attempt)))}
            </span>
          </div>
          {lastError !== "" && (
            <p className={classes["error"]}>
              <bdi>{problem(actor.kind, lastCause, lastError)}</bdi>
            </p>
          )}
          {nextAttemptAt !== null && (
            <p className={classes["quiet"]}>
              {words.nextTry} <Countdown to={nextAttemptAt} />
            </p>
          )}
        </div>
      ))}
      {residents.map((src) => (
        <p key={src} className={classes["why"]}>
          <bdi dir="ltr" className={classes["strong"]}>
            {src}
          </bdi>
          <span className={classes["quiet"]}>{words.resident}</span>
        </p>
      ))}
    </Section>
  );
}
