// The signals of a running panel, and what its log says of them: work that goes on although it was told to end, which
// nobody would see otherwise.
import type { Logger } from "pino";
import { Signals } from "../lib/signals.ts";

/** Signals whose warnings go to the log. `now`: milliseconds of a clock that is never set. */
export function watchedSignals(log: Logger, now: () => number = () => performance.now()): Signals {
  const signals = new Signals({
    now,
    onError: (error, signal) => log.error({ err: error, signal }, "a listener of signals failed; this is said once"),
  });
  signals.listen("effect.overruns", ({ kind, actorId, src, attempt, ageMs }) =>
    log.warn(
      { kind, id: actorId, effect: src, attempt, seconds: Math.round(ageMs / 1000) },
      "an effect goes on although it was told to end: it keeps its place until it ends or is given up on",
    ),
  );
  signals.listen("effect.overrun", ({ ended, kind, actorId, src, attempt, ageMs }) => {
    const about = { kind, id: actorId, effect: src, attempt, seconds: Math.round(ageMs / 1000) };
    if (ended) log.debug(about, "an effect that went on although it was told to end has ended");
    else log.warn(about, "an effect that was told to end was given up on: it may go on beside its next attempt");
  });
  return signals;
}
