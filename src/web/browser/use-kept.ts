// A choice of the person that looks, for components: as it is kept, wherever it was made.
import { useSyncExternalStore } from "react";
import { call } from "../api/call.ts";
import { KeptChoices } from "./kept.ts";

const quiet = { hurdles: false } as const;

/** The choices of this page load. */
export const kept = new KeptChoices(localStorage, {
  read: () => call<Readonly<Record<string, unknown>>>("GET", "/me/ui", quiet),
  write: (whole) => call("PUT", "/me/ui", { ...quiet, body: whole }),
});

/** The text of a member, `views.users`, and the way to change it. */
export function useKept(member: string): readonly [string | null, (value: string) => void] {
  const text = useSyncExternalStore(kept.subscribe, () => kept.get(member));
  return [text, (value) => kept.set(member, value)];
}
