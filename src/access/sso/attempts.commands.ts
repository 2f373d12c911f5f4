// Attempts to sign in at a provider: begun with a place among those that wait, taken once by the browser that began
// them.
import { lock, type Draft, type Lock } from "../../db/index.ts";
import { invalid, Refusal, rule } from "../../http/index.ts";
import { OidcAttemptRows, OidcWaitingRows, type OidcAttemptRow, type WaitingPlace } from "./attempt.entity.ts";
import { OidcProviderRows, type OidcProviderRow } from "./provider.entity.ts";

/** Seconds within which a sign-in must come back (rule access.sso.5). */
export const ATTEMPT_LIFETIME = 10 * 60;
/** Seconds for which a late one is still told from an unknown one. */
export const ATTEMPT_KEPT = 60 * 60;
const PER_SOURCE = 10;
const ON_THE_PANEL = 1000;
/** Id of the one row of places. */
export const WAITING = 1;

/** What of an attempt only the panel may know; the state is in the browser's hands. */
export interface AttemptSecrets {
  readonly nonce: string;
  /** PKCE. */
  readonly verifier: string;
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
 * Throws 429 where as many attempts wait as may, from one address or altogether (rule access.sso.6). `time`: Unix
 * seconds.
 */
export function refuseCrowd(places: readonly WaitingPlace[], source: string, time: number): WaitingPlace[] {
  const held = heldAt(places, time);
  const own = held.filter((place) => place.source === source);
  const full = own.length >= PER_SOURCE ? own : held.length >= ON_THE_PANEL ? held : undefined;
  if (full) {
    const retryAfter = Math.min(...full.map(({ until }) => until)) - time;
    throw new Refusal("rate_limited", {
      message: "too many sign-ins are waiting for an identity provider",
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
  const held = refuseCrowd(draft.find(OidcWaitingRows, WAITING)?.places ?? [], prepared.source, draft.time);
  const until = draft.time + ATTEMPT_LIFETIME;
  draft.upsert(OidcWaitingRows, { id: WAITING, places: [...held, { source: prepared.source, until }] });
  draft.insert(OidcAttemptRows, { ...prepared, expiresAt: until });
}

/** Locks of `takeAttempt`. */
export function takeLocks(id: string): Lock[] {
  return [lock(OidcAttemptRows, id), lock(OidcWaitingRows, WAITING)];
}

/**
 * Takes an attempt away, so that its state is good once; undefined where it is not there or not this browser's. `late`:
 * past its ten minutes. Its provider comes with it while it is as it was when the attempt began.
 */
export function takeAttempt(
  draft: Draft,
  id: string,
  browserHash: string,
):
  | { readonly attempt: OidcAttemptRow; readonly provider: OidcProviderRow | undefined; readonly late: boolean }
  | undefined {
  const attempt = draft.find(OidcAttemptRows, id);
  if (attempt?.browserHash !== browserHash) return undefined;
  const provider = draft.find(OidcProviderRows, attempt.providerId, "read");
  const places = heldAt(draft.find(OidcWaitingRows, WAITING)?.places ?? [], draft.time);
  const place = places.findIndex(({ source, until }) => source === attempt.source && until === attempt.expiresAt);
  if (place >= 0) draft.upsert(OidcWaitingRows, { id: WAITING, places: places.toSpliced(place, 1) });
  draft.delete(OidcAttemptRows, id);
  const same = provider?.enabled === true && provider.updatedAt === attempt.providerVersion;
  return {
    attempt: { ...attempt },
    provider: same ? { ...provider } : undefined,
    late: attempt.expiresAt <= draft.time,
  };
}
