// Why a connection or a request to a typed address failed.

/**
 * `url`, `https`, `credentials` and `private`: repeating does not help. `proxy`: the proxy is away or refused.
 * `aborted`: the caller ended it, or the caller's own body broke off.
 */
export type OutgoingFailure =
  | "url"
  | "https"
  | "credentials"
  | "private"
  | "resolve"
  | "connect"
  | "proxy"
  | "timeout"
  | "too_large"
  | "redirect"
  | "aborted";

/**
 * A connection that was refused, or a request without a whole answer. The message is a sentence or a system's code that
 * may be shown to the operator.
 */
export class OutgoingError extends Error {
  override readonly name = "OutgoingError";
  readonly reason: OutgoingFailure;
  /** The host, for the reasons `resolve` and `private`; else empty. */
  readonly host: string;
  constructor(
    reason: OutgoingFailure,
    message: string,
    { host = "", ...options }: ErrorOptions & { readonly host?: string } = {},
  ) {
    super(message, options);
    this.reason = reason;
    this.host = host;
  }
}

/** The failure that an error of a socket or of a parser is. */
export function failureOf(error: unknown): OutgoingError {
  if (error instanceof OutgoingError) return error;
  const text = error instanceof Error && error.message !== "" ? error.message : "connection failed";
  const code = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : text;
  if (code === "HPE_HEADER_OVERFLOW")
    return new OutgoingError("too_large", "the answer's headers are too large", { cause: error });
  return new OutgoingError("connect", code, { cause: error });
}
