// Authorization codes that came back. Whoever runs a provider could send people on to another one, which answers with a
// code of its own; where the address does not tell the two apart, the panel would hand that code to the wrong one, who
// would bring it here again. So a code is good for attempts of the provider that it first came back to, and of no other
// (rule access.sso.15). It is remembered in the change that takes its attempt: before anybody is sent it.
import type { Draft } from "../../db/index.ts";
import { sha256Hex } from "../../lib/ids.ts";
import { OidcCodeRows, type OidcWaitingRow } from "./attempt.entity.ts";

/** Seconds for which a code is remembered: codes are good for ten minutes at most (RFC 6749 4.1.2). */
export const CODE_KEPT = 60 * 60;
const CODES_AN_HOUR = 20_000;

type Tally = Pick<OidcWaitingRow, "codes" | "codesSince">;

/**
 * Codes remembered in the hour of `time`, Unix seconds. An hour that begins later is from before a clock was set back.
 */
export function codesInHour({ codes, codesSince }: Tally, time: number): Tally {
  return codesSince <= time && time < codesSince + CODE_KEPT ? { codes, codesSince } : { codes: 0, codesSince: time };
}

/** Seconds until codes are remembered again; 0 while they are. */
export function untilRemembered(tally: Tally, time: number): number {
  const { codes, codesSince } = codesInHour(tally, time);
  return codes < CODES_AN_HOUR ? 0 : codesSince + CODE_KEPT - time;
}

/**
 * Names a code in whatever way it is spelled that a provider may read alike: in either case, with or without padding,
 * in either alphabet of base64, and with other unused bits in the last digit of a part.
 */
export function codeKey(code: string): string {
  const parts = code.split(".").map((part) => {
    const digits = part.replaceAll(/[=\s]/g, "");
    const sure = digits.length > 16 ? digits.slice(0, -1) : digits;
    return sure.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
  });
  return sha256Hex(parts.join("."));
}

/**
 * Remembers a code that came back to an attempt of a provider. `good`: no other provider's attempt had it, and there is
 * room to remember it. The tally is what the row of places has from now on.
 */
export function rememberCode(
  draft: Draft,
  id: string,
  providerId: number,
  before: Tally,
): { readonly good: boolean; readonly tally: Tally } {
  const tally = codesInHour(before, draft.time);
  const known = draft.find(OidcCodeRows, id);
  if (known) return { good: known.providerId === providerId, tally };
  if (tally.codes >= CODES_AN_HOUR) return { good: false, tally };
  draft.insert(OidcCodeRows, { id, providerId, expiresAt: draft.time + CODE_KEPT });
  return { good: true, tally: { ...tally, codes: tally.codes + 1 } };
}
