// Why a panel could not be started, as a sentence that says what to do. Errors that already are one pass through.
import type { Environment } from "../panel/environment.ts";

interface SystemError extends Error {
  readonly code: string;
  readonly syscall?: string;
  readonly path?: string;
  readonly address?: string;
  readonly port?: number;
}

function isSystemError(error: unknown): error is SystemError {
  return error instanceof Error && "code" in error && typeof error.code === "string" && /^E[A-Z]+$/.test(error.code);
}

/** The error to be shown for one that ended a start. */
export function startRefusal(error: unknown, { dataDirectory }: Environment): unknown {
  if (!isSystemError(error)) return error;
  const sentence =
    error.syscall === "listen" || error.syscall === "bind" ? listenSentence(error) : fileSentence(error, dataDirectory);
  return sentence === undefined ? error : new Error(sentence, { cause: error });
}

function listenSentence({ code, address, port }: SystemError): string | undefined {
  // A path: the control socket in the data directory.
  if (port === undefined || port < 0)
    return code === "EINVAL"
      ? "the path of SIGNALBOX_DATA_DIR is too long for a socket in it: choose a shorter one"
      : undefined;
  const place = `${address ?? ""}:${port}`;
  const elsewhere =
    "choose another address with SIGNALBOX_LISTEN, or with `signalbox settings set web_listen_port PORT` and `settings set web_listen_ip ADDRESS`";
  switch (code) {
    case "EADDRINUSE":
      return `${place} is in use by another process: end it, or ${elsewhere}`;
    case "EADDRNOTAVAIL":
      return `${place} is not an address of this machine: ${elsewhere}`;
    case "EACCES":
      return `this user may not listen on ${place}: ${elsewhere}`;
    default:
      return undefined;
  }
}

function fileSentence({ code, path }: SystemError, dataDirectory: string): string | undefined {
  const place = path ?? dataDirectory;
  switch (code) {
    case "EEXIST":
    case "ENOTDIR":
      return `${place} is not a directory: name one in SIGNALBOX_DATA_DIR`;
    case "EACCES":
    case "EPERM":
      return `this user may not use ${place}: make it readable and writable, or name another directory in SIGNALBOX_DATA_DIR`;
    case "EROFS":
      return `${place} is on a read-only disk: mount it writable, or name another directory in SIGNALBOX_DATA_DIR`;
    case "ENOSPC":
    case "EDQUOT":
      return `the disk of ${place} is full: make room and start again`;
    default:
      return undefined;
  }
}
