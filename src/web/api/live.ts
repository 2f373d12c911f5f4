// The live stream for components: counts and flow by selector, transitions by filter, the state of the connection.
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useSyncExternalStore } from "react";
import type { Live, StateCounts, WireFlow } from "./frames.ts";
import { link, type LinkState, type TransitionFilter, type TransitionListener } from "./live-link.ts";

export type { StateCounts, Transition, WireFlow } from "./frames.ts";
export type { LinkState, TransitionFilter, TransitionListener } from "./live-link.ts";

/**
 * The part of the live picture that `select` names; the component is drawn again only when that part is another object.
 */
export function useLive<T>(select: (live: Live) => T): T {
  return useSyncExternalStore(link.subscribe, () => select(link.live()));
}

/** How many actors are in each state of a kind; `undefined` until the panel has sent it. */
export function useCounts(kind: string): StateCounts | undefined {
  return useLive((live) => live.counts[kind]);
}

/** The wires of a kind that were passed in the last minute; `undefined` until the panel said it. */
export function useFlow(kind: string): readonly WireFlow[] | undefined {
  return useLive((live) => live.flow[kind]);
}

/** How live the page is. */
export function useLink(): LinkState {
  return useSyncExternalStore(link.subscribe, link.state);
}

/** Hears transitions once an animation frame. With a kind and an id every one of that actor, else a sample. */
export function useTransitions({ kind, id }: TransitionFilter, listener: TransitionListener): void {
  const heard = useEffectEvent(listener);
  useEffect(() => {
    const filter = { ...(kind === undefined ? {} : { kind }), ...(id === undefined ? {} : { id }) };
    return link.read(filter, (rows, gap) => heard(rows, gap));
  }, [kind, id]);
}

/** Queries are asked again no oftener than this, however much happens. */
const REFRESH = 2000;

/**
 * Asks again for the queries under `paths` (`"/nodes"`) when actors of `kind` move: at once, then at most every two
 * seconds. Without a kind nothing is heard.
 */
export function useRefreshed(kind: string | undefined, paths: readonly string[]): void {
  const queries = useQueryClient();
  const listed = paths.join("\n");
  useEffect(() => {
    if (kind === undefined) return undefined;
    let last = 0;
    let timer: number | undefined;
    let counts = link.live().counts[kind];
    const ask = (): void => {
      timer = undefined;
      last = Date.now();
      for (const path of listed.split("\n")) void queries.invalidateQueries({ queryKey: [path] });
    };
    const moved = (): void => {
      timer ??= window.setTimeout(ask, Math.max(0, last + REFRESH - Date.now()));
    };
    // Rows may be a sample: the counts tell of the others.
    const stopCounts = link.subscribe(() => {
      const before = counts;
      counts = link.live().counts[kind];
      if (before !== undefined && counts !== before) moved();
    });
    const stopRows = link.read({ kind }, (rows, gap) => {
      if (rows.length > 0 || (gap && counts !== undefined)) moved();
    });
    return () => {
      stopCounts();
      stopRows();
      window.clearTimeout(timer);
    };
  }, [kind, listed, queries]);
}
