// What one check of a verdict found.
import type { VerdictCheck } from "./verdict.schema.ts";

export type Finding = Omit<VerdictCheck, "check">;

export const FINE: Finding = { state: "ok", text: "", code: "ok", values: [], since: 0, action: null };
/** For something that the panel does not see yet. */
export const UNKNOWN: Finding = { ...FINE, state: "unknown", text: "not known", code: "unknown" };

export function failed(code: VerdictCheck["code"], text: string, more: Partial<Finding> = {}): Finding {
  return { ...FINE, state: "failed", code, text, ...more };
}
