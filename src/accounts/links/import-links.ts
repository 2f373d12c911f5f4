// Encrypted import links of two client apps (rules subscriptions.import): a person who opens one sees neither the
// subscription's address nor can copy it out of the browser. Happ: RSA with its published key. INCY: AES-256-GCM with a
// key that all its clients share. Their makers call it obfuscation, and so it is.
import { constants, createCipheriv, createPublicKey, publicEncrypt } from "node:crypto";

/** What PKCS#1 v1.5 adds at least, in bytes. */
const PADDING = 11;
const IV_BYTES = 12;
/** `crypt4`, `crypt1`: a part of a path. */
const SCHEME = /^[A-Za-z0-9_-]{1,32}$/;

/** A client app's key and scheme as the settings hold them; an empty key: there is none. */
export interface AppKey {
  readonly key: string;
  readonly scheme: string;
}

/** `happ://<scheme>/<base64 of the encrypted address>`; empty without a key, and for an address that is too long. */
export function happLink(url: string, { key, scheme }: AppKey): string {
  if (key === "" || !SCHEME.test(scheme)) return "";
  const publicKey = createPublicKey(key);
  const plain = Buffer.from(url, "utf8");
  const size = (publicKey.asymmetricKeyDetails?.modulusLength ?? 0) / 8;
  if (plain.length > size - PADDING) return "";
  const sealed = publicEncrypt({ key: publicKey, padding: constants.RSA_PKCS1_PADDING }, plain);
  return `happ://${scheme}/${sealed.toString("base64")}`;
}

/**
 * `incy://<scheme>/<base64url of iv, encrypted JSON and tag>`; empty without a key. `name` may be empty. An `iv` of
 * twelve random bytes is never used twice.
 */
export function incyLink(url: string, name: string, { key, scheme }: AppKey, iv: Uint8Array): string {
  if (key === "" || !SCHEME.test(scheme)) return "";
  if (iv.length !== IV_BYTES) throw new Error(`an iv has ${IV_BYTES} bytes`);
  // Its keys in the order of the alphabet, as the app's own encoder writes them.
  const plain = JSON.stringify({ ...(name === "" ? {} : { n: name.toWellFormed() }), url, v: 1 });
  const cipher = createCipheriv("aes-256-gcm", Buffer.from(key, "base64"), iv);
  const sealed = Buffer.concat([iv, cipher.update(plain, "utf8"), cipher.final(), cipher.getAuthTag()]);
  return `incy://${scheme}/${sealed.toString("base64url")}`;
}
