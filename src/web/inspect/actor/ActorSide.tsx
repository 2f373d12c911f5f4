// The right column of the actor's page: now, why, what next, what runs, what it would take, what it knows. When looking
// back, only what the journal knows about that moment.
import { useWords } from "../../words/words.ts";
import classes from "../facts/facts.module.css";
import { ContextSection } from "../facts/ContextSection.tsx";
import { EffectsSection } from "../facts/EffectsSection.tsx";
import { EventsSection } from "../facts/EventsSection.tsx";
import { FaultSection } from "../facts/FaultSection.tsx";
import { LogSection } from "../log/LogSection.tsx";
import type { Moment } from "./moment.ts";
import { NowSection, WhySection } from "../facts/NowSection.tsx";
import type { Trouble } from "../trouble.ts";
import type { Chart } from "../use-machines.ts";
import type { Trial } from "../facts/use-trial.ts";
import { WakesSection } from "../facts/WakesSection.tsx";
import type { ActorDetail } from "../wire.ts";

interface SideProps {
  readonly kind: string;
  readonly chart: Chart | undefined;
  /** Undefined: it is gone. */
  readonly actor: ActorDetail | undefined;
  readonly moment: Moment;
  readonly past: boolean;
  readonly trouble: Trouble | undefined;
  readonly trial: Trial | undefined;
  readonly onTry: (event: string) => void;
  readonly onCloseTry: () => void;
  readonly onChanged: () => void;
}

export function ActorSide({
  kind,
  chart,
  actor,
  moment,
  past,
  trouble,
  trial,
  onTry,
  onCloseTry,
  onChanged,
}: SideProps) {
  const words = useWords("inspect").actor;
  return (
    <>
      {!actor && (
        <p className={classes["note"]}>
          <strong>{words.gone}</strong> {words.goneText}
        </p>
      )}
      {!past && actor && <FaultSection actor={actor} onResumed={onChanged} />}
      <NowSection kind={kind} id={actor?.id} chart={chart} moment={moment} past={past} trouble={trouble} />
      <WhySection kind={kind} chart={chart} moment={moment} past={past} />
      {!past && actor && (
        <>
          <WakesSection chart={chart} actor={actor} />
          <EffectsSection actor={actor} />
          <EventsSection
            chart={chart}
            actor={actor}
            trial={trial}
            onTry={onTry}
            onClose={onCloseTry}
            onSent={onChanged}
          />
        </>
      )}
      <ContextSection kind={kind} moment={moment} past={past} />
      {!past && actor && <LogSection kind={kind} id={actor.id} />}
    </>
  );
}
