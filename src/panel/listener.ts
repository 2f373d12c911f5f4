// Where the panel listens and with which certificate: read from environment and settings at start, and the certificate
// kept fresh while it runs.
import { realpathSync } from "node:fs";
import { stat } from "node:fs/promises";
import {
  CertificateRows,
  pairOf,
  readCertificate,
  readTlsFiles,
  TlsFileError,
  type CertificateRow,
  type TlsPair,
} from "../certificates/index.ts";
import type { TlsOptions, WebsiteFolder } from "../http/index.ts";
import type { Core } from "./features.ts";
import type { Environment } from "./environment.ts";
import type { Place } from "./public-address.ts";
import { certificateFiles, websiteObjection } from "../system/index.ts";

const LOOK_MS = 2000;

/** What the listener is planned from. */
type Parts = Pick<Core, "database" | "log" | "secretKey" | "settings"> & { readonly environment: Environment };

/** Where the surface listens; undefined before it does. */
export interface Listening {
  at: Pick<ListenerPlan, "host" | "port" | "tls"> | undefined;
}

export interface ListenerPlan {
  readonly host: string;
  readonly port: number;
  readonly basePath: string;
  /** The web site that is served in addition to the panel; undefined: none. */
  readonly website: WebsiteFolder | undefined;
  readonly tls: TlsOptions | undefined;
  /** Ends the watch over the certificate. */
  readonly stop: () => void;
}

/** The listener cannot begin as it is set. The message says what to do. */
class ListenerRefused extends Error {
  override readonly name = "ListenerRefused";
}

/**
 * Why the listener could not begin after a restart, as far as settings and files say; undefined: nothing is in the way.
 */
export async function listenerObstacle(parts: Parts): Promise<string | undefined> {
  try {
    (await planListener(parts, false)).stop();
    return undefined;
  } catch (error) {
    if (error instanceof ListenerRefused) return error.message;
    throw error;
  }
}

/** Where a panel listens by environment and settings alone, for whoever tells its address without being it. */
export function settledPlace({ environment, settings }: Pick<Parts, "environment" | "settings">): Place {
  return { ...placeOf({ environment, settings }), tls: settings.text("web_tls_mode") !== "none" };
}

function placeOf({ environment, settings }: Pick<Parts, "environment" | "settings">): { host: string; port: number } {
  return (
    environment.listen ?? {
      host: settings.text("web_listen_ip") || "127.0.0.1",
      port: settings.number("web_listen_port") || 8080,
    }
  );
}

/**
 * Setup pending: plain HTTP without a base path. SIGNALBOX_LISTEN, else the settings, else loopback
 * (docs/operations.md). Throws a sentence that says what to do.
 */
export async function planListener(parts: Parts, pending: boolean): Promise<ListenerPlan> {
  const { settings } = parts;
  const { host, port } = placeOf(parts);
  if (pending) return { host, port, basePath: "", website: undefined, tls: undefined, stop: () => {} };
  const basePath = settings.text("web_basepath");
  const website = websiteOf(parts, basePath);
  const servers = new Set<TlsServer>();
  const source = await certificateSource(parts);
  if (!source) return { host, port, basePath, website, tls: undefined, stop: () => {} };
  const minVersion = settings.text("web_tls_min") === "1.3" ? ("TLSv1.3" as const) : ("TLSv1.2" as const);
  const stop = source.follow((pair) => {
    for (const server of servers) server.setSecureContext({ ...pair, minVersion });
  });
  const onServer = (server: TlsServer) => {
    servers.add(server);
    return () => void servers.delete(server);
  };
  const tls = { ...source.pair, minVersion, onServer };
  return { host, port, basePath, website, tls, stop };
}

/**
 * The web site. Without a base path everything is the panel's, and nothing is left for a site; the panel's own secrets
 * are never one.
 */
function websiteOf({ environment, log, settings }: Parts, basePath: string): WebsiteFolder | undefined {
  const directory = settings.text("web_masquerade_dir");
  if (basePath === "" || directory === "") return undefined;
  const places = [...environment.privatePlaces, ...certificateFiles((key) => settings.text(key))];
  let looked: { root: string; admitted: boolean } | undefined;
  const admits = (root: string): boolean => {
    if (looked?.root === root) return looked.admitted;
    const objection = websiteObjection(root, places);
    if (objection !== undefined) log.error(`web_masquerade_dir is not served: it ${objection.message}`);
    looked = { root, admitted: objection === undefined };
    return looked.admitted;
  };
  try {
    admits(realpathSync(directory));
  } catch (error) {
    log.warn(
      { reason: String(error) },
      "web_masquerade_dir cannot be looked at: nothing is served from it until it can",
    );
  }
  return { directory, admits };
}

/** The part of an HTTPS server that takes a new certificate; connections that stand keep theirs. */
type TlsServer = Parameters<NonNullable<TlsOptions["onServer"]>>[0];

interface CertificateSource {
  readonly pair: TlsPair;
  /** Calls `serve` with every newer pair. Returns the way to stop. */
  follow(serve: (pair: TlsPair) => void): () => void;
}

/** The certificate of `web_tls_mode`; undefined for plain HTTP. */
async function certificateSource(parts: Parts): Promise<CertificateSource | undefined> {
  const mode = parts.settings.text("web_tls_mode");
  if (mode === "files") return fromFiles(parts);
  return mode === "self_signed" ? fromRow(parts) : undefined;
}

/** The stored certificate; one that is issued again, by whichever process, is served as soon as it is committed. */
async function fromRow({ database, secretKey, settings }: Parts): Promise<CertificateSource> {
  const { commits, reads } = database;
  const id = settings.number("web_cert_id");
  const pair = await readCertificate(reads, id, secretKey);
  if (!pair) {
    throw new ListenerRefused(
      "web_tls_mode is self_signed, but web_cert_id names no certificate: run `signalbox settings set web_tls_mode none` and start again",
    );
  }
  const follow = (serve: (pair: TlsPair) => void) =>
    commits.onCommit(({ changes }) => {
      for (const { table, id: changed, after } of changes)
        if (table === CertificateRows.name && Number(changed) === id && after)
          serve(pairOf(after as CertificateRow, secretKey));
    });
  return { pair, follow };
}

/**
 * The files of the operator; a renewal is served within seconds. Files that are no pair (half of them written) leave
 * the last pair in service.
 */
async function fromFiles({ log, settings }: Parts): Promise<CertificateSource> {
  const [certFile, keyFile] = [settings.text("web_cert_file"), settings.text("web_key_file")];
  const marks = async () => (await Promise.all([markOf(certFile), markOf(keyFile)])).join(" ");
  // Marked before they are read: what changes meanwhile is read again.
  let seen = await marks();
  const pair = await readOrRefuse(certFile, keyFile);
  const follow = (serve: (pair: TlsPair) => void) => {
    let looking = false;
    const look = async (): Promise<void> => {
      const mark = await marks();
      if (mark === seen) return;
      seen = mark;
      serve(await readTlsFiles(certFile, keyFile));
      log.info("the certificate files changed and are served");
    };
    const timer = setInterval(() => {
      if (looking) return;
      looking = true;
      look()
        .catch((error: unknown) =>
          log.warn({ reason: String(error) }, "the changed certificate files are not served; the last pair still is"),
        )
        .finally(() => (looking = false));
    }, LOOK_MS);
    timer.unref();
    return () => clearInterval(timer);
  };
  return { pair, follow };
}

async function readOrRefuse(certFile: string, keyFile: string): Promise<TlsPair> {
  try {
    return await readTlsFiles(certFile, keyFile);
  } catch (error) {
    if (!(error instanceof TlsFileError)) throw error;
    throw new ListenerRefused(
      `${error.message}: mend it, or run \`signalbox settings set web_tls_mode self_signed\` (the panel's own certificate), and start again`,
      { cause: error },
    );
  }
}

/** Changes whenever the file does; follows links, as renewals replace what they point at. */
async function markOf(file: string): Promise<string> {
  try {
    const { dev, ino, size, mtimeMs } = await stat(file);
    return `${dev}:${ino}:${size}:${mtimeMs}`;
  } catch {
    return "absent";
  }
}
