// Where an event may lead: a state, or how many it may be.
import { useFormat } from "../../format/use-format.ts";
import { useWords } from "../../words/words.ts";
import classes from "./facts.module.css";
import { StatePath } from "../event/EventName.tsx";

interface PlacesProps {
  readonly places: readonly string[];
  /** The actor's state. */
  readonly here: string;
  /** The innermost state alone; the whole path on hover. */
  readonly short?: boolean;
}

export function Places({ places, here, short }: PlacesProps) {
  const words = useWords("inspect");
  const format = useFormat();
  const [first, ...others] = places;
  if (first === undefined) return null;
  const named = (place: string) => (place === here ? words.actor.stays : place);
  const all = [words.actor.oneOf(format.number(places.length)), ...places.map(named)].join("\n");
  return (
    <span className={classes["place"]} title={others.length > 0 ? all : short ? first : undefined}>
      {first === here ? (
        words.actor.stays
      ) : (
        <>
          <span aria-hidden className={classes["arrow"]}>
            →
          </span>
          <StatePath state={short ? first.slice(first.lastIndexOf(".") + 1) : first} />
        </>
      )}
      {others.length > 0 && (
        <bdi dir="ltr" className={classes["others"]}>
          +{format.number(others.length)}
        </bdi>
      )}
    </span>
  );
}
