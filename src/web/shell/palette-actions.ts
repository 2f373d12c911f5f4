// What the open page adds to the command palette.
import { useEffect, useEffectEvent, useSyncExternalStore } from "react";

export interface PaletteAction {
  readonly id: string;
  readonly label: string;
  readonly run: () => void;
}

let offered: readonly (readonly PaletteAction[])[] = [];
let all: readonly PaletteAction[] = [];
const listeners = new Set<() => void>();

function set(next: typeof offered): void {
  offered = next;
  all = next.flat();
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Offers what the page can do in the palette (Ctrl-K) while it is open. */
export function usePaletteActions(actions: readonly PaletteAction[]): void {
  const run = useEffectEvent((id: string) => actions.find((action) => action.id === id)?.run());
  const listed = JSON.stringify(actions.map(({ id, label }) => ({ id, label })));
  useEffect(() => {
    const mine = (JSON.parse(listed) as { id: string; label: string }[]).map(({ id, label }) => ({
      id,
      label,
      run: () => run(id),
    }));
    set([...offered, mine]);
    return () => set(offered.filter((each) => each !== mine));
  }, [listed]);
}

export function useOfferedActions(): readonly PaletteAction[] {
  return useSyncExternalStore(subscribe, () => all);
}
