// Every code of a refusal, as data: its status and its text. Pages import the types from here.
//
// A refusal's name is its `code`, unless a closer code says more than the name.

import type { RuleCode } from "./rule.schema.ts";

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
  cursor_expired: { status: 410, text: "the cursor is no longer known: begin with an empty one" },
  request_timeout: { status: 408, text: "the request did not arrive in time" },
  conflict: { status: 409, text: "the state does not allow this" },
  version_conflict: { status: 409, text: "the record was changed meanwhile" },
  in_progress: { status: 409, text: "the first request under this Idempotency-Key is still running" },
  idempotency_reuse: { status: 409, text: "this Idempotency-Key was used for another request" },
  answer_gone: {
    status: 409,
    text: "the request under this Idempotency-Key was carried out; its answer is no longer kept",
  },
  setup_finished: { status: 409, text: "setup is already finished" },
  too_large: { status: 413, text: "the body is too large" },
  media_type: { status: 415, text: "the body must be application/json" },
  confirm: { status: 428, text: "the second factor must be confirmed" },
  headers_too_large: { status: 431, text: "the request's header is too large" },
  rate_limited: { status: 429, text: "too many requests" },
  banned: { status: 429, text: "too many refused sign-ins from this address" },
  internal: { status: 500, text: "internal error" },
  unsupported: { status: 501, text: "the panel's database does not allow this" },
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
  time_range: { of: "validation", text: "a time is after the year 9999, or a span longer than a century" },
  format: { of: "bad_request", text: "no backup can have this name, or it is no archive of a panel" },
  encrypted: { of: "bad_request", text: "the archive is encrypted: it needs its passphrase" },
  passphrase: { of: "bad_request", text: "the archive has another passphrase, or was altered" },
  no_admins: { of: "bad_request", text: "nobody could sign in with what the archive holds" },
  login_ended: { of: "bad_credentials", text: "the sign-in has ended: begin again" },
  wrong_password: { of: "forbidden", text: "wrong password" },
  own_password: { of: "forbidden", text: "a token does not set its own account's password" },
  provider_reach: { of: "forbidden", text: "the identity provider may not sign in as this account" },
  reseller_closed: { of: "forbidden", text: "the reseller's allowance is spent" },
  plan_needed: { of: "forbidden", text: "this account sells plans only: `planId` names one of its plans" },
  busy: { of: "conflict", text: "another restore is at work" },
  in_use: { of: "conflict", text: "others use the record; `names` lists them" },
  changed_meanwhile: { of: "conflict", text: "it was changed during the request: read it again" },
  held_by_addon: { of: "conflict", text: "an add-on holds the token" },
  provider_off: { of: "conflict", text: "the identity provider is switched off" },
  webhook_off: { of: "conflict", text: "the webhook is switched off" },
  node_off: { of: "conflict", text: "the node is off; `cause` says why" },
  node_on: { of: "conflict", text: "the node is switched on: only POST /nodes/{id}/move changes its address" },
  agent_taken: { of: "conflict", text: "another node that is switched on has this address and port" },
  event_not_safe: { of: "conflict", text: "the event is not one that people send" },
  event_not_taken: { of: "conflict", text: "the chart does not take the event in its state" },
  event_failed: { of: "conflict", text: "the chart refuses the event" },
  quarantined: { of: "conflict", text: "the actor is in quarantine: resume it first" },
  not_quarantined: { of: "conflict", text: "the actor is not in quarantine" },
  cannot_start: { of: "conflict", text: "the panel could not start again; the sentence says why" },
  nothing_to_renew: { of: "conflict", text: "the account has neither an end nor a volume" },
  no_term: { of: "conflict", text: "no term was ever sold with the account: renew it by days or a plan" },
  nothing_to_extend: { of: "conflict", text: "the account has no end to extend" },
  cannot_undo: { of: "conflict", text: "the job cannot be taken back" },
  too_many_fronts: { of: "conflict", text: "an inbound has at most 20 fronts" },
  too_busy: { of: "unavailable", text: "too many passwords or codes are being checked" },
  disk_full: { of: "unavailable", text: "the disk of the data directory is full" },
} as const satisfies Readonly<Record<string, { readonly of: ErrorName; readonly text: string }>>;

export type CloserCode = keyof typeof CLOSER_CODES;

/** Rules whose breach is told by a closer code where it comes first. */
export const CLOSER_RULES: Readonly<Partial<Record<RuleCode, CloserCode>>> = {
  forbidden_key: "forbidden_key",
  time_range: "time_range",
  span_range: "time_range",
};

/** Closer codes whose sentence names something that the code cannot: a field, records, a file. */
type ToldBySentence = "forbidden_key" | "time_range" | "in_use" | "cannot_start";
/** Words of a language for every other closer code. A closer code without words does not compile. */
export type CloserWords = Readonly<Record<Exclude<CloserCode, ToldBySentence>, string>>;
