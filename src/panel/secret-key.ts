// The panel's key, checked against the database before it is used: the start refuses a different key, or a new key with
// old data.
import { findKey, makeKey, SealError, type KeyPlace } from "../lib/seal.ts";

/**
 * `sealedUnder`: whether the database was sealed with a key; undefined while nothing is sealed.
 * The key of SIGNALBOX_SECRET_KEY or the key file; made where there is none and nothing sealed yet. Throws `SealError`
 * with a sentence when it is missing, malformed, or not the one that the database was sealed with.
 */
export async function openKey(
  place: KeyPlace,
  sealedUnder: (key: Uint8Array) => Promise<boolean | undefined>,
): Promise<Uint8Array> {
  const key = findKey(place);
  const fits = await sealedUnder(key ?? new Uint8Array(32));
  if (fits === undefined) return key ?? makeKey(place);
  if (key === undefined) {
    throw new SealError(
      `the key file ${place.file} is missing, and the database holds secrets sealed with it: put it back, or set SIGNALBOX_SECRET_KEY`,
    );
  }
  if (fits) return key;
  const source = place.fromEnvironment === undefined ? `the key file ${place.file}` : "SIGNALBOX_SECRET_KEY";
  throw new SealError(
    `${source} is not the key that this database was sealed with: put that one back (panels on one database share one key)`,
  );
}
