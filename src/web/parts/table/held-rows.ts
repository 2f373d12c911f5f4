// Rows that stand still while a person works on them: news wait until the menu or selection is gone.
import { useState } from "react";
import type { Listing } from "../../api/queries.ts";
import { countChanged } from "./changed-rows.ts";

export interface HeldRows<T> {
  readonly listing: Listing<T> | undefined;
  /** How many rows are no longer as they are shown. */
  readonly changed: number;
  /** Shows the news now. */
  readonly release: () => void;
}

export function useHeldRows<T>(listing: Listing<T> | undefined, held: boolean, keyOf: (row: T) => string | number): HeldRows<T> {
  const [kept, setKept] = useState<Listing<T>>();
  if (held && !kept && listing) setKept(listing);
  if (!held && kept) setKept(undefined);
  const shown = held && kept ? kept : listing;
  const changed = shown === listing || !shown || !listing ? 0 : countChanged(shown.items, listing.items, keyOf);
  return { listing: shown, changed, release: () => setKept(listing) };
}
