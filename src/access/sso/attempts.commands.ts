// Attempts to sign in at a provider: begun with a place among those that wait, taken once by the browser that began
// them.
import { lock, type Draft, type Lock } from "../../db/index.ts";
import { invalid, Refusal, rule } from "../../http/index.ts";
import {
  OidcAttemptRows,
  OidcCodeRows,
  OidcWaitingRows,
  type OidcAttemptRow,
  type OidcWaitingRow,
  type WaitingPlace,
} from "./attempt.entity.ts";
import { rememberCode, untilRemembered } from "./codes.commands.ts";
import { OidcProviderRows, type OidcProviderRow } from "./provider.entity.ts";

/** Seconds within which a sign-in must come back (rule access.sso.5). */
export const ATTEMPT_LIFETIME = 10 * 60;
/** Seconds for which a late one is still told from an unknown one. */
export const ATTEMPT_KEPT = 60 * 60;
const PER_SOURCE = 10;
const ON_THE_PANEL = 1000;
/** Id of the one row of places. */
export const WAITING = 1;
/** The row before the first attempt. */
export const NOBODY_WAITS: Readonly<OidcWaitingRow> = { id: WAITING, places: [], codes: 0, codesSince: 0 };

/** Parts of an attempt that only the panel may know; the state is in the browser's hands. */
export interface AttemptSecrets {
  readonly nonce: string;
  /** PKCE. */
  readonly verifier: string;
  /** Where the provider was told to send the browser: an answer that arrives elsewhere is refused. */
  readonly redirectUri: string;
  /** The stored hash of the password that a link was started with; empty for a sign-in. */
  readonly passwordHash: string;
}

/**
 * Places that are held at a time. One that ends later than any place begun now was given before the clock was set back.
 */
function heldAt(places: readonly WaitingPlace[], time: number): WaitingPlace[] {
  return places.filter(({ until }) => until > time && until <= time + ATTEMPT_LIFETIME);
}

/**
 * Throws 429 where as many attempts wait as may, from one address or altogether (rule access.sso.6), or as many codes
 * came back within the hour as are remembered. `time`: Unix seconds.
 */
export function refuseCrowd(waiting: Readonly<OidcWaitingRow>, source: string, time: number): WaitingPlace[] {
  const held = heldAt(waiting.places, time);
  const own = held.filter((place) => place.source === source);
  const full = own.length >= PER_SOURCE ? own : held.length >= ON_THE_PANEL ? held : undefined;
  const retryAfter = full ? Math.min(...full.map(({ until }) => until)) - time : untilRemembered(waiting, time);
  if (retryAfter > 0) {
    throw new Refusal("rate_limited", {
      message: full
        ? "too many sign-ins are waiting for an identity provider"
        : "too many sign-ins came back from identity providers within the hour",
      retryAfter,
    });
  }
  return held;
}

/** A provider that can be signed in through: 400 for an unknown one, 409 for one that is off. */
export function usableProvider<P extends Pick<OidcProviderRow, "name" | "enabled">>(row: P | undefined, id: number): P {
  const provider = row ?? invalid("provider", rule("absent", "provider", id));
  if (!provider.enabled)
    throw new Refusal("conflict", { code: "provider_off", message: `the provider ${provider.name} is switched off` });
  return provider;
}

/** Locks of `beginAttempt`. */
export function beginLocks({ providerId }: Pick<OidcAttemptRow, "providerId">): Lock[] {
  return [lock(OidcWaitingRows, WAITING), lock(OidcProviderRows, providerId, "read")];
}

/**
 * Stores an attempt. Throws 429 where too many wait, 409 where the provider was changed or switched off since the
 * attempt was prepared.
 */
export function beginAttempt(draft: Draft, prepared: Omit<OidcAttemptRow, "expiresAt">): void {
  const provider = usableProvider(draft.find(OidcProviderRows, prepared.providerId, "read"), prepared.providerId);
  if (provider.updatedAt !== prepared.providerVersion)
    throw new Refusal("conflict", { code: "changed_meanwhile", message: "the provider was changed meanwhile" });
  const waiting = draft.find(OidcWaitingRows, WAITING) ?? NOBODY_WAITS;
  const held = refuseCrowd(waiting, prepared.source, draft.time);
  const until = draft.time + ATTEMPT_LIFETIME;
  draft.upsert(OidcWaitingRows, { ...waiting, places: [...held, { source: prepared.source, until }] });
  draft.insert(OidcAttemptRows, { ...prepared, expiresAt: until });
}

/** Says which attempt a returning browser ends: hashes, and the name of the code where it brought one. */
export interface Returning {
  /** The attempt's. */
  readonly id: string;
  readonly browserHash: string;
  /** The result of `codeKey`; undefined: the browser brought no code. */
  readonly codeId: string | undefined;
}

export interface TakenAttempt {
  readonly attempt: OidcAttemptRow;
  /** While it is as it was when the attempt began. */
  readonly provider: OidcProviderRow | undefined;
  /** Past its ten minutes. */
  readonly late: boolean;
  /** The code came back to an attempt of another provider before. */
  readonly strayCode: boolean;
}

/** Locks of `takeAttempt`. */
export function takeLocks({ id, codeId }: Returning): Lock[] {
  const code = codeId === undefined ? [] : [lock(OidcCodeRows, codeId)];
  return [lock(OidcAttemptRows, id), lock(OidcWaitingRows, WAITING), ...code];
}

/**
 * Takes an attempt away, so that its state is good once, and remembers the code that came with it; undefined where it
 * is not there or not this browser's.
 */
export function takeAttempt(draft: Draft, { id, browserHash, codeId }: Returning): TakenAttempt | undefined {
  const attempt = draft.find(OidcAttemptRows, id);
  if (attempt?.browserHash !== browserHash) return undefined;
  const { providerId, providerVersion, source, expiresAt } = attempt;
  const provider = draft.find(OidcProviderRows, providerId, "read");
  const waiting = draft.find(OidcWaitingRows, WAITING) ?? NOBODY_WAITS;
  const places = heldAt(waiting.places, draft.time);
  const place = places.findIndex((each) => each.source === source && each.until === expiresAt);
  const code = codeId === undefined ? undefined : rememberCode(draft, codeId, providerId, waiting);
  draft.upsert(OidcWaitingRows, {
    ...waiting,
    ...code?.tally,
    places: place >= 0 ? places.toSpliced(place, 1) : places,
  });
  draft.delete(OidcAttemptRows, id);
  const same = provider?.enabled === true && provider.updatedAt === providerVersion;
  return {
    attempt: { ...attempt },
    provider: same ? { ...provider } : undefined,
    late: expiresAt <= draft.time,
    strayCode: code?.good === false,
  };
}
