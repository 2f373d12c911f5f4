// Certificate and key from files that others write (`web_tls_mode` files): read, and checked to be a pair that a
// listener can serve.
import { createPrivateKey, X509Certificate, type KeyObject } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { createSecureContext } from "node:tls";
import { rule, type Rule } from "../http/index.ts";

/** Larger files hold no certificate. */
const LIMIT = 1 << 20;

export type TlsFileSetting = "web_cert_file" | "web_key_file";

/** Why the files cannot be served. The message is a sentence that names the setting and the file. */
export class TlsFileError extends Error {
  override readonly name = "TlsFileError";
  readonly setting: TlsFileSetting;
  /** What the file breaks, in the words of the message. */
  readonly rule: Rule;
  /** There is no such file (yet). */
  readonly missing: boolean;

  constructor(
    setting: TlsFileSetting,
    broken: Rule,
    { missing = false, cause }: { missing?: boolean; cause?: unknown } = {},
  ) {
    super(`${setting}: ${broken.message}`, { cause });
    this.setting = setting;
    this.rule = { ...broken, message: this.message };
    this.missing = missing;
  }
}

/** PEM, as a listener takes them. */
export interface TlsPair {
  readonly cert: string;
  readonly key: string;
}

/** The PEM chain in a file. Throws TlsFileError. */
export async function readCertificateFile(
  path: string,
): Promise<{ readonly pem: string; readonly leaf: X509Certificate }> {
  const pem = await textOf("web_cert_file", path);
  try {
    if (!pem.includes("-----BEGIN CERTIFICATE-----")) throw new Error("no PEM");
    return { pem, leaf: new X509Certificate(pem) };
  } catch (cause) {
    throw new TlsFileError("web_cert_file", rule("no_certificate", path), { cause });
  }
}

/** The private key in a file. Throws TlsFileError. */
export async function readKeyFile(path: string): Promise<{ readonly pem: string; readonly key: KeyObject }> {
  const pem = await textOf("web_key_file", path);
  try {
    return { pem, key: createPrivateKey(pem) };
  } catch (cause) {
    throw new TlsFileError("web_key_file", rule("no_private_key", path), { cause });
  }
}

/** Both, which must belong together. Throws TlsFileError. */
export async function readTlsFiles(certFile: string, keyFile: string): Promise<TlsPair> {
  const { pem: cert, leaf } = await readCertificateFile(certFile);
  const { pem: key, key: privateKey } = await readKeyFile(keyFile);
  if (!leaf.checkPrivateKey(privateKey))
    throw new TlsFileError("web_key_file", rule("other_certificate_key", keyFile, certFile));
  try {
    createSecureContext({ cert, key });
  } catch (cause) {
    throw new TlsFileError("web_cert_file", rule("unservable", certFile), { cause });
  }
  return { cert, key };
}

async function textOf(setting: TlsFileSetting, path: string): Promise<string> {
  try {
    // A named pipe would never end.
    const found = await stat(path);
    if (!found.isFile() || found.size > LIMIT) throw new TlsFileError(setting, rule("no_file", path));
    return await readFile(path, "utf8");
  } catch (cause) {
    if (cause instanceof TlsFileError) throw cause;
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
    if (code === "ENOENT" || code === "ENOTDIR")
      throw new TlsFileError(setting, rule("missing_file", path), { missing: true, cause });
    throw new TlsFileError(setting, rule("unreadable", path, code), { cause });
  }
}
