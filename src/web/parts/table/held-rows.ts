// Rows that do not change while a person works on them: updates wait until the menu or selection is closed, another
// page is opened, or the person asks for them.
import { useState } from "react";
import type { Listing } from "../../api/queries.ts";
import type { AnswerOf } from "../Answer.tsx";
import { countChanged } from "./changed-rows.ts";

export interface HeldRows<T> {
  readonly listing: Listing<T> | undefined;
  /** How many rows are no longer as they are shown. */
  readonly changed: number;
  /** Shows the waiting updates now. */
  readonly release: () => void;
  /** Shows the next update immediately: it comes from the person's own change. */
  readonly expect: () => void;
}

interface Held<T> {
  readonly place: string;
  readonly listing: Listing<T>;
  /** When it was answered (Unix milliseconds). */
  readonly at: number;
  readonly awaits: boolean;
}

/** `place`: what the list shows; rows of another page are never held back. */
export function useHeldRows<T>(
  answer: Pick<AnswerOf<Listing<T>>, "data" | "isPlaceholderData" | "dataUpdatedAt">,
  {
    held,
    place,
    keyOf,
  }: { readonly held: boolean; readonly place: string; readonly keyOf: (row: T) => string | number },
): HeldRows<T> {
  const [kept, setKept] = useState<Held<T>>();
  const { data, dataUpdatedAt: at } = answer;
  const own = answer.isPlaceholderData ? undefined : data;
  const stale = kept?.place !== place || (kept.awaits && at > kept.at);
  if (!held && kept) setKept(undefined);
  if (held && own && stale) setKept({ place, listing: own, at, awaits: false });
  const shown = held && kept?.place === place ? kept.listing : data;
  const changed = shown === data || !shown || !data ? 0 : countChanged(shown.items, data.items, keyOf);
  return {
    listing: shown,
    changed,
    release: () => own && setKept({ place, listing: own, at, awaits: false }),
    expect: () => setKept((before) => before && { ...before, awaits: true }),
  };
}
