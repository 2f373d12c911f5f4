// The agent's own key and certificate: P-256, self-signed, pinned by the panel through the key's fingerprint. The only
// module of the agent that knows X.509 generation.
import "reflect-metadata";
import {
  createECDH,
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  webcrypto,
  X509Certificate,
} from "node:crypto";
import type { KeyObject } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as x509 from "@peculiar/x509";
import { z } from "zod";
import { hasCode, writeDurably } from "./durable-file.ts";

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const VALID_YEARS = 20;

/** PEM texts, and what the panel pins: base64 of the SHA-256 over the key's SPKI. */
export interface Identity {
  readonly certificate: string;
  readonly privateKey: string;
  readonly fingerprint: string;
}

/**
 * The identity kept in `directory` (`agent.key`, `agent.crt`), made on first use. Rejects when the two files do not
 * belong together. `now` in milliseconds.
 */
export async function loadIdentity(directory: string, now: number): Promise<Identity> {
  const keyPath = join(directory, "agent.key");
  const certificatePath = join(directory, "agent.crt");
  const storedKey = await readIfThere(keyPath);
  // The key decides the pin; a certificate lost, or not written before a kill, is made again from it.
  const privateKey =
    storedKey === undefined
      ? generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey
      : createPrivateKey(storedKey);
  if (storedKey === undefined) await writeDurably(keyPath, pemOf(privateKey));
  const storedCertificate = await readIfThere(certificatePath);
  const certificate = storedCertificate ?? (await selfSign(privateKey, now));
  if (storedCertificate === undefined) await writeDurably(certificatePath, certificate);
  if (!new X509Certificate(certificate).checkPrivateKey(privateKey))
    throw new Error(`${certificatePath} does not belong to ${keyPath}; delete the certificate to have it made again`);
  return { certificate, privateKey: pemOf(privateKey), fingerprint: fingerprintOf(createPublicKey(privateKey)) };
}

/**
 * The id kept in `directory` (`agent.id`), made on first use: it identifies the agent, whatever its name and address
 * are. A copied directory is the same agent. Rejects when the file holds no id.
 */
export async function loadAgentId(directory: string, newId: () => string): Promise<string> {
  const path = join(directory, "agent.id");
  const stored = await readIfThere(path);
  if (stored === undefined) {
    const id = newId();
    await writeDurably(path, `${id}\n`);
    return id;
  }
  const id = z.uuid().safeParse(stored.trim());
  if (!id.success) throw new Error(`${path} holds no agent's id (a UUID); delete it to have one made`);
  return id.data;
}

/**
 * The same key, hence the same pin, for the same seed; the certificate's bytes may differ. For simulated fleets only.
 */
export async function identityFromSeed(seed: string, now: number): Promise<Identity> {
  const ecdh = createECDH("prime256v1");
  ecdh.setPrivateKey(createHash("sha256").update(`signalbox simulate\n${seed}`).digest());
  const point = ecdh.getPublicKey();
  const jwk = {
    kty: "EC",
    crv: "P-256",
    d: ecdh.getPrivateKey().toString("base64url"),
    x: point.subarray(1, 33).toString("base64url"),
    y: point.subarray(33).toString("base64url"),
  };
  const privateKey = createPrivateKey({ key: jwk, format: "jwk" });
  return {
    certificate: await selfSign(privateKey, now),
    privateKey: pemOf(privateKey),
    fingerprint: fingerprintOf(createPublicKey(privateKey)),
  };
}

/** base64(SHA-256(SPKI DER)): how keys are pinned on both sides. */
export function fingerprintOf(publicKey: KeyObject): string {
  return createHash("sha256")
    .update(publicKey.export({ type: "spki", format: "der" }))
    .digest("base64");
}

async function selfSign(privateKey: KeyObject, now: number): Promise<string> {
  x509.cryptoProvider.set(webcrypto);
  const pkcs8 = privateKey.export({ type: "pkcs8", format: "der" });
  const spki = createPublicKey(privateKey).export({ type: "spki", format: "der" });
  const keys = {
    privateKey: await webcrypto.subtle.importKey("pkcs8", pkcs8, ALGORITHM, true, ["sign"]),
    publicKey: await webcrypto.subtle.importKey("spki", spki, ALGORITHM, true, ["verify"]),
  };
  const from = new Date(now - 300_000);
  const until = new Date(from);
  until.setUTCFullYear(from.getUTCFullYear() + VALID_YEARS);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: "CN=signalbox agent",
    notBefore: from,
    notAfter: until,
    signingAlgorithm: ALGORITHM,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return `${certificate.toString("pem")}\n`;
}

function pemOf(privateKey: KeyObject): string {
  return privateKey.export({ type: "pkcs8", format: "pem" }).toString();
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}
