// The keys with which two client apps read encrypted import links (rules settings.key): what a key is, and its
// fingerprint.
import { createHash, createPublicKey } from "node:crypto";
import { z } from "zod";
import { taking, type ValueCheck } from "../../feature/index.ts";
import { orEmpty, rule } from "../../http/index.ts";

export const CLIENT_APPS = ["happ", "incy"] as const;
export type ClientApp = (typeof CLIENT_APPS)[number];

/** A key as it is stored, and the hex SHA-256 by which its publisher names it. */
export interface ClientKey {
  readonly text: string;
  readonly fingerprint: string;
}

/** Reads a key; undefined for text that is none: for Happ a PEM of an RSA public key, for INCY 32 bytes in base64. */
export function readClientKey(app: ClientApp, text: string): ClientKey | undefined {
  return app === "happ" ? readRsaKey(text.trim()) : readSharedKey(text.trim());
}

/** A client app's key, in the form in which it is stored; or empty. */
export const clientKey = (app: ClientApp): ValueCheck =>
  taking(
    "lines",
    z
      .string()
      .max(16_384)
      .transform((value, context) => {
        if (value.trim() === "") return "";
        const key = readClientKey(app, value);
        if (key) return key.text;
        context.addIssue({ code: "custom", ...orEmpty(app === "happ" ? rule("rsa_key") : rule("base64", 32)) });
        return z.NEVER;
      }),
  );

/** The fingerprint is over the DER that the PEM carries. */
function readRsaKey(pem: string): ClientKey | undefined {
  const [, body] =
    /^-----BEGIN (?:RSA )?PUBLIC KEY-----([A-Za-z0-9+/=\s]+)-----END (?:RSA )?PUBLIC KEY-----$/.exec(pem) ?? [];
  if (body === undefined) return undefined;
  try {
    if (createPublicKey(pem).asymmetricKeyType !== "rsa") return undefined;
  } catch {
    // It is no key, whatever OpenSSL calls the fault.
    return undefined;
  }
  return { text: `${pem}\n`, fingerprint: sha256(Buffer.from(body, "base64")) };
}

function readSharedKey(text: string): ClientKey | undefined {
  if (!/^[A-Za-z0-9+/]{43}=?$/.test(text)) return undefined;
  const bytes = Buffer.from(text, "base64");
  return bytes.length === 32 ? { text: bytes.toString("base64"), fingerprint: sha256(bytes) } : undefined;
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
