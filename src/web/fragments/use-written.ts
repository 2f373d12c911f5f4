// What follows when a fragment was created or saved.
import { useLocation } from "wouter";
import { useSettle } from "../parts/use-verbs.tsx";
import type { FragmentRecord, Kind } from "./kind.ts";

/** Shows a new record; it is left for the page of what was created. */
export function useCreated<T extends FragmentRecord>(kind: Kind<T>): (saved: T) => void {
  const words = kind.useKindWords();
  const [, navigate] = useLocation();
  const settle = useSettle(kind);
  return (saved) => {
    settle(saved, { said: words.created(kind.name(saved)) });
    navigate(`${kind.list}/${saved.id}`);
  };
}

/** Shows a record as it was saved. */
export function useSaved<T extends FragmentRecord>(kind: Kind<T>, record: NoInfer<T>): (saved: T) => void {
  const words = kind.useKindWords();
  const settle = useSettle(kind);
  return (saved) => settle(record, { said: words.saved(kind.name(saved)), record: { ...record, ...saved } });
}
