// A node's standing in words: the pill, since when, and what comes next.
import { useFormat } from "../format/use-format.ts";
import { useNow } from "../parts/now.ts";
import { ToneBadge } from "../parts/StateBadge.tsx";
import type { Tone } from "../parts/tone.ts";
import { useWords } from "../words/words.ts";
import type { Standing, StandingCase } from "./node-standing.ts";

const TONES: Readonly<Record<StandingCase, Tone>> = {
  connected: "ok",
  warned: "waiting",
  dialing: "running",
  syncing: "running",
  backoff: "failed",
  refused: "failed",
  duplicate: "failed",
  mismatched: "failed",
  off: "off",
  limit: "off",
  licence: "failed",
};

export function StandingBadge({ standing, large }: { readonly standing: Standing; readonly large?: boolean }) {
  const words = useWords("nodes");
  return (
    <ToneBadge
      tone={standing.quarantined ? "failed" : TONES[standing.case]}
      tip={standing.state}
      {...(large ? { large } : {})}
    >
      {words.standing[standing.case]}
    </ToneBadge>
  );
}

/** What comes next, ticking; nothing where a node just serves. */
export function NextStep({ standing }: { readonly standing: Standing }) {
  const text = useNextStep(standing);
  return <>{text}</>;
}

/** The sentence of what comes next; empty where nothing is to come. */
export function useNextStep({ case: seen, state, wakeAt, quarantined, attempts }: Standing): string {
  const { next, quarantined: left } = useWords("nodes");
  const format = useFormat();
  const now = useNow(wakeAt !== null && wakeAt - Date.now() / 1000 > 3600 ? 15 : 1);
  if (quarantined) return left;
  const until = wakeAt === null ? undefined : Math.max(0, wakeAt - now);
  const lasting = until === undefined ? "" : format.duration(until, { parts: until > 3600 ? 2 : 1 });
  switch (seen) {
    case "connected":
    case "warned":
      return "";
    case "dialing":
    case "syncing":
      return until === undefined ? "" : next.gives(lasting);
    case "backoff":
    case "duplicate":
    case "refused": {
      const atOnce = until === undefined || until === 0 || state === "linked.refused.trying";
      const when =
        seen === "refused"
          ? atOnce
            ? next.askedNow
            : next.askedAgain(lasting)
          : atOnce
            ? next.retryNow
            : next.retry(lasting);
      return attempts > 0 ? `${next.attempt(format.number(attempts))} · ${when}` : when;
    }
    case "mismatched":
      return next.noRetry;
    case "off":
      return next.person;
    case "limit":
      return until === undefined ? next.raise : next.period(lasting);
    case "licence":
      return next.licence;
  }
}
