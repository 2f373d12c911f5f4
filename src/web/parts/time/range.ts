// A span of time in the address: `range=7d`, or `from` and `to` in Unix seconds. Pure.

export const PRESET_RANGES = ["1h", "24h", "7d", "30d", "90d"] as const;
export type PresetRange = (typeof PRESET_RANGES)[number];

const SECONDS: Readonly<Record<PresetRange, number>> = {
  "1h": 3600,
  "24h": 86_400,
  "7d": 7 * 86_400,
  "30d": 30 * 86_400,
  "90d": 90 * 86_400,
};

export interface TimeRange {
  /** Unix seconds; `from` is before `to`. */
  readonly from: number;
  readonly to: number;
  /** Undefined: the ends were chosen. */
  readonly preset: PresetRange | undefined;
}

/** What the address says; `usual` where it says nothing, or nothing that is a span. */
export function rangeIn(search: URLSearchParams, now: number, usual: PresetRange): TimeRange {
  const [from, to] = [momentIn(search.get("from")), momentIn(search.get("to"))];
  if (from !== undefined && to !== undefined && from < to) return { from, to, preset: undefined };
  const preset = PRESET_RANGES.find((each) => each === search.get("range")) ?? usual;
  return { from: now - SECONDS[preset], to: now, preset };
}

function momentIn(text: string | null): number | undefined {
  return text !== null && /^\d{1,11}$/.test(text) ? Number(text) : undefined;
}

/** The address with a span in it; what else stands there stays. */
export function withRange(
  search: URLSearchParams,
  range: PresetRange | { readonly from: number; readonly to: number },
  usual: PresetRange,
): URLSearchParams {
  const next = new URLSearchParams(search);
  for (const name of ["range", "from", "to"]) next.delete(name);
  if (typeof range === "object") {
    next.set("from", String(range.from));
    next.set("to", String(range.to));
  } else if (range !== usual) next.set("range", range);
  return next;
}
