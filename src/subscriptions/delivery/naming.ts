// How the entries of an account are named: the panel's template, and the figures that it or a remark may ask for.
import { hasNotStarted } from "../../accounts/index.ts";
import { shownMs } from "../../lib/moments.ts";
import { figuresIn } from "../page/figures.ts";
import type { Figure, Naming } from "../documents/names.ts";
import type { SubscriptionSettings } from "../subscriptions.settings.ts";
import type { Subscriber } from "./subscriber.ts";

const DAY = 86_400;
/** No limit, and no end. */
const NONE = "∞";

/**
 * Days that an account has left, the one that has begun included; of a plan that has not started all of them.
 * `undefined`: it does not end.
 */
export function daysLeft({ row }: Subscriber, now: number): number | undefined {
  if (hasNotStarted(row)) return Math.ceil(row.duration / DAY);
  return row.expiry === 0 ? undefined : Math.max(0, Math.ceil((row.expiry - now) / DAY));
}

/** `2026-11-24` in the zone of the panel. */
function date(seconds: number, timeZone: string): string {
  const zone = timeZone === "" ? {} : { timeZone };
  return new Intl.DateTimeFormat("en-CA", { dateStyle: "short", ...zone }).format(shownMs(seconds));
}

function bytes(count: number): string {
  return figuresIn("en", "").bytes(count).replaceAll("\u00a0", " ");
}

/** `now`: Unix seconds. */
export function namingOf(state: Subscriber, settings: SubscriptionSettings, now: number): Naming {
  const { row, usage } = state;
  const used = usage.up + usage.down;
  const figures: Readonly<Record<Figure, () => string>> = {
    used: () => bytes(used),
    total: () => (row.volume === 0 ? NONE : bytes(row.volume)),
    left: () => (row.volume === 0 ? NONE : bytes(Math.max(0, row.volume - used))),
    days: () => String(daysLeft(state, now) ?? NONE),
    expires: () => (hasNotStarted(row) || row.expiry === 0 ? NONE : date(row.expiry, settings.get("timezone"))),
  };
  // Each is made once, for all entries.
  const made = new Map<Figure, string>();
  return {
    template: settings.get("sub_entry_name"),
    figure(name) {
      const text = made.get(name) ?? figures[name]();
      made.set(name, text);
      return text;
    },
  };
}
