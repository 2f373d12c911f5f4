// Certificate and key from files that others write (`web_tls_mode` files): read, and checked to be a pair that a listener can serve.
import { createPrivateKey, X509Certificate, type KeyObject } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { createSecureContext } from "node:tls";

/** Larger files hold no certificate. */
const LIMIT = 1 << 20;

export type TlsFileSetting = "web_cert_file" | "web_key_file";

/** Why the files cannot be served. The message is a sentence that names the setting and the file. */
export class TlsFileError extends Error {
  override readonly name = "TlsFileError";
  readonly setting: TlsFileSetting;
  readonly path: string;
  /** There is no such file (yet). */
  readonly missing: boolean;

  constructor(
    setting: TlsFileSetting,
    path: string,
    message: string,
    { missing = false, cause }: { missing?: boolean; cause?: unknown } = {},
  ) {
    super(`${setting}: ${message}`, { cause });
    this.setting = setting;
    this.path = path;
    this.missing = missing;
  }
}

/** PEM, as a listener takes them. */
export interface TlsPair {
  readonly cert: string;
  readonly key: string;
}

/** The PEM chain in a file. Throws TlsFileError. */
export async function readCertificateFile(path: string): Promise<{ readonly pem: string; readonly leaf: X509Certificate }> {
  const pem = await textOf("web_cert_file", path);
  try {
    if (!pem.includes("-----BEGIN CERTIFICATE-----")) throw new Error("no PEM");
    return { pem, leaf: new X509Certificate(pem) };
  } catch (cause) {
    throw new TlsFileError("web_cert_file", path, `${path} holds no PEM certificate`, { cause });
  }
}

/** The private key in a file. Throws TlsFileError. */
export async function readKeyFile(path: string): Promise<{ readonly pem: string; readonly key: KeyObject }> {
  const pem = await textOf("web_key_file", path);
  try {
    return { pem, key: createPrivateKey(pem) };
  } catch (cause) {
    throw new TlsFileError("web_key_file", path, `${path} holds no PEM private key without a passphrase`, { cause });
  }
}

/** Both, which must belong together. Throws TlsFileError. */
export async function readTlsFiles(certFile: string, keyFile: string): Promise<TlsPair> {
  const { pem: cert, leaf } = await readCertificateFile(certFile);
  const { pem: key, key: privateKey } = await readKeyFile(keyFile);
  if (!leaf.checkPrivateKey(privateKey))
    throw new TlsFileError("web_key_file", keyFile, `${keyFile} is not the key of the certificate in ${certFile}`);
  try {
    createSecureContext({ cert, key });
  } catch (cause) {
    throw new TlsFileError("web_cert_file", certFile, `${certFile} cannot be served over TLS`, { cause });
  }
  return { cert, key };
}

async function textOf(setting: TlsFileSetting, path: string): Promise<string> {
  try {
    // A named pipe would never end.
    const found = await stat(path);
    if (!found.isFile() || found.size > LIMIT) throw new TlsFileError(setting, path, `${path} is no file of at most 1 MiB`);
    return await readFile(path, "utf8");
  } catch (cause) {
    if (cause instanceof TlsFileError) throw cause;
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
    if (code === "ENOENT" || code === "ENOTDIR") throw new TlsFileError(setting, path, `${path} does not exist`, { missing: true, cause });
    throw new TlsFileError(setting, path, `${path} cannot be read (${code})`, { cause });
  }
}
