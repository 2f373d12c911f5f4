// Since when the panel is away, by whatever told it first: the live link that broke, or a call that was not answered.
import { useEffect, useState } from "react";
import { useLink } from "./live.ts";
import { useLostSince } from "./panel-reach.ts";

/** Seconds. What is missed for a moment is not worth a word. */
export const PATIENCE = 2;

/** Unix milliseconds; undefined while the panel is there. */
export function useAwaySince(): number | undefined {
  const link = useLink();
  const lost = useLostSince();
  return link.status === "lost" ? link.since : lost;
}

/** Whether it has been away for longer than a moment. Renders once when that becomes so, and once when it ends. */
export function useAway(): boolean {
  const since = useAwaySince();
  const [patient, setPatient] = useState<number>();
  useEffect(() => {
    if (since === undefined) return undefined;
    const timer = window.setTimeout(() => setPatient(since), Math.max(0, since + PATIENCE * 1000 - Date.now()));
    return () => window.clearTimeout(timer);
  }, [since]);
  return since !== undefined && patient === since;
}
