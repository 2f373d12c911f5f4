// Every refusal of the API: name → status, public text. The name is the `code` of the answer unless the refusal gives
// another.

import type { BrokenRule, Rule } from "./rules.ts";

export interface ErrorKind {
  readonly status: number;
  /** What the caller reads. Never carries private detail. */
  readonly text: string;
}

export const ERRORS = {
  validation: { status: 400, text: "the request is not valid" },
  bad_request: { status: 400, text: "the request cannot be carried out" },
  malformed_json: { status: 400, text: "the body is not valid JSON" },
  duplicate: { status: 400, text: "the value is taken" },
  token_refused: { status: 400, text: "an API token has no session" },
  unauthenticated: { status: 401, text: "authentication is required" },
  wrong_code: { status: 401, text: "wrong code" },
  bad_credentials: { status: 401, text: "wrong username or password" },
  cap_reached: { status: 402, text: "a cap is reached" },
  forbidden: { status: 403, text: "not permitted" },
  scope: { status: 403, text: "the scope does not reach this route" },
  token_closed: { status: 403, text: "no API token reaches this route" },
  cross_site: { status: 403, text: "the request comes from another site" },
  address_refused: { status: 403, text: "this address may not sign in" },
  account_expired: { status: 403, text: "the account has expired" },
  not_found: { status: 404, text: "not found" },
  method_not_allowed: { status: 405, text: "method not allowed" },
  cursor_expired: { status: 410, text: "the cursor is no longer known: begin anew" },
  request_timeout: { status: 408, text: "the request did not arrive in time" },
  conflict: { status: 409, text: "the state does not allow this" },
  version_conflict: { status: 409, text: "the record was changed meanwhile" },
  in_progress: { status: 409, text: "the first request under this Idempotency-Key is still running" },
  idempotency_reuse: { status: 409, text: "this Idempotency-Key was used for another request" },
  setup_finished: { status: 409, text: "setup is already finished" },
  too_large: { status: 413, text: "the body is too large" },
  media_type: { status: 415, text: "the body must be application/json" },
  confirm: { status: 428, text: "the second factor must be confirmed" },
  headers_too_large: { status: 431, text: "the request's header is too large" },
  rate_limited: { status: 429, text: "too many requests" },
  banned: { status: 429, text: "too many refused sign-ins from this address" },
  internal: { status: 500, text: "internal error" },
  upstream: { status: 502, text: "an upstream did not answer" },
  unavailable: { status: 503, text: "the panel cannot answer now" },
} as const satisfies Readonly<Record<string, ErrorKind>>;

export type ErrorName = keyof typeof ERRORS;

/**
 * Codes that say more than the name of the refusal they stand in: which one, and when. A route that answers one names
 * it in `codes`.
 */
export const CLOSER_CODES = {
  forbidden_key: { of: "validation", text: "configuration holds a key or value that it may not" },
  login_ended: { of: "bad_credentials", text: "the sign-in has ended: begin again" },
  wrong_password: { of: "forbidden", text: "wrong password" },
  own_password: { of: "forbidden", text: "a token does not set its own account's password" },
  provider_reach: { of: "forbidden", text: "the identity provider may not sign in as this account" },
  in_use: { of: "conflict", text: "others use the record; `names` lists them" },
  nothing_to_renew: { of: "conflict", text: "the account has neither plan nor term nor volume" },
  nothing_to_extend: { of: "conflict", text: "the account has no end to extend" },
  too_busy: { of: "unavailable", text: "too many passwords or codes are being checked" },
} as const satisfies Readonly<Record<string, { readonly of: ErrorName; readonly text: string }>>;

export type CloserCode = keyof typeof CLOSER_CODES;

/** A field and why it is refused: by the code of the rule (`rule.schema.ts`), and in a sentence. */
export interface RefusedField extends BrokenRule {
  readonly path: string;
  readonly message: string;
}

export interface RefusalDetail {
  /** Public text in place of the table's. */
  readonly message?: string;
  /** In place of the name. */
  readonly code?: CloserCode;
  /** First offending field, as a path: `limits.volume`, `inboundIds.2`. */
  readonly field?: string;
  readonly issues?: readonly RefusedField[];
  /** Further members of the body, for example the current record of a version conflict. */
  readonly extra?: Readonly<Record<string, unknown>>;
  /** Requests that this refusal counts as against the caller's budget. */
  readonly charge?: number;
  /** Seconds, for the `Retry-After` header. */
  readonly retryAfter?: number;
  readonly cause?: unknown;
}

/** A refusal that the caller is told: thrown anywhere below a handler, also inside `decide`. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly kind: ErrorName;
  readonly detail: RefusalDetail;

  constructor(kind: ErrorName, detail: RefusalDetail = {}) {
    super(detail.message ?? ERRORS[kind].text, detail.cause === undefined ? undefined : { cause: detail.cause });
    this.kind = kind;
    this.detail = detail;
  }

  get status(): number {
    return ERRORS[this.kind].status;
  }

  /** The answer's body. */
  body(): Record<string, unknown> {
    const { code, field, issues, extra } = this.detail;
    return {
      error: this.message,
      code: code ?? this.kind,
      ...(field === undefined ? {} : { field }),
      ...(issues === undefined ? {} : { issues }),
      ...extra,
    };
  }
}

/** Throws a refusal; for use as an expression: `row ?? refuse("not_found")`. */
export function refuse(kind: ErrorName, detail: RefusalDetail = {}): never {
  throw new Refusal(kind, detail);
}

/** A 400 that names the field. */
export function invalid(field: string, broken: Rule): never {
  throw new Refusal("validation", {
    message: `${field}: ${broken.message}`,
    field,
    issues: [refusedField(field, broken)],
  });
}

export function refusedField(path: string, { message, params }: Rule): RefusedField {
  return { path, message, ...params.rule };
}

/** An error under an HTTP route that has no public text; the cause is for the log alone. */
export function notFound(what: string, id: string | number): never {
  throw new Refusal("not_found", { message: `no ${what} ${id}` });
}
