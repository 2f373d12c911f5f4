// One actor, live: what the stream tells is shown at once, what only the API knows follows with the next answer.
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useSyncExternalStore } from "react";
import { call } from "../../api/call.ts";
import { useTransitions, type Transition } from "../../api/live.ts";
import { useApi, type Listing } from "../../api/queries.ts";
import { JournalStore, type JournalState } from "../journal/journal-store.ts";
import type { ActorDetail, JournalEntry } from "../wire.ts";

/** An actor that moves many times a second is asked about no oftener than this. */
const ASK_MS = 300;

export function useActor(kind: string, id: string) {
  const path = `/actors/${kind}/${id}`;
  // The newest step that was heard: an answer from before it, still on its way then, may not take the actor back.
  const heard = useRef(0);
  const answer = useApi<ActorDetail>(path, {}, { outdated: (_known, { rev }) => rev < heard.current });
  const queries = useQueryClient();
  const store = useMemo(
    () =>
      new JournalStore((offset, limit) =>
        call<Listing<JournalEntry>>("GET", `${path}/journal`, { query: { offset, limit } }),
      ),
    [path],
  );
  const journal = useSyncExternalStore(store.subscribe, store.state);
  useEffect(() => void store.open(), [store]);

  const asking = useRef<number | undefined>(undefined);
  useEffect(
    () => () => {
      window.clearTimeout(asking.current);
      heard.current = 0;
    },
    [path],
  );
  const askSoon = () => {
    if (asking.current !== undefined) return;
    asking.current = window.setTimeout(() => {
      asking.current = undefined;
      void queries.invalidateQueries({ queryKey: [path] });
      void store.heard([], true);
    }, ASK_MS);
  };
  useTransitions({ kind, id }, (rows, gap) => {
    const last = rows.at(-1);
    // After a gap the panel's word is the newest, whatever it is: it may have come back from a backup.
    heard.current = last?.seq ?? (gap ? 0 : heard.current);
    if (last) {
      queries.setQueryData<ActorDetail>([path, {}], (before) =>
        before && last.seq > before.rev ? movedBy(before, last) : before,
      );
      void store.heard(rows, false);
    }
    if (gap || last) askSoon();
  });
  const shown = answer.data?.kind === kind && answer.data.id === id ? answer.data : undefined;
  return { answer, actor: shown, journal, store };
}

/**
 * What is known of an actor from the row of its step alone: where it stands. Its deadlines and effects are those of
 * another state.
 */
function movedBy(before: ActorDetail, { from, to, at, atMs = at * 1000, seq, event, actor }: Transition): ActorDetail {
  const stayed = before.state === to;
  return {
    ...before,
    state: to,
    since: stayed ? before.since : at,
    rev: seq,
    meaning: stayed ? before.meaning : "",
    why: { event, at, atMs, actor, text: stayed ? before.meaning : "" },
    entered: stayed ? before.entered : { seq, event, at, atMs, actor, from },
    ...(stayed ? {} : { timers: [], effects: [], running: [], next: [], wakeAt: null }),
  };
}

export type { JournalState };
