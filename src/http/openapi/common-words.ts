// What is said of fields and parameters that mean the same everywhere.

/** Sets of values that the panel derives from its declarations. */
export type DerivedSet = "events" | "scopes";

/** What is said of a field, and all its values where they are a closed set. */
export type Word = string | { readonly says: string; readonly choices: readonly string[] | DerivedSet };

/** Words by key. */
export type Words = Readonly<Record<string, Word>>;

export const COMMON_WORDS: Words = {
  id: "The record's id. Never given to another one.",
  name: "What people call it.",
  remark: "A note of one line; empty: none.",
  description: "What it is for, in words.",
  enabled: "Whether it is switched on.",
  createdAt: "Unix seconds at which it was made.",
  updatedAt: "Unix seconds of the last change.",
  message: "A sentence for people; empty: nothing to say.",
  ok: "`true`.",
  items: "The rows of this page, in the order that was asked for.",
  total: "Rows that the filters leave, without paging.",
  limit: "Rows of a page; 100 where it is left out under `/api/v1`, all of them under `/api`.",
  offset: "Rows to skip; 0 where it is left out. Beyond the end the page is empty.",
  q: "A part of the texts of a row, in any case. Empty finds every row.",
  updated_since: "Unix seconds: rows that have changed since, that second included. 0: all.",
  cursor:
    "Where the page begins, as the `Link` of the page before it says; not beside `offset`. Empty: the first page.",
  hours: "The hours until now; ignored where `start` and `end` are given. 24 where nothing is given.",
  start: "Unix seconds at which the range begins; together with `end`.",
  end: "Unix seconds at which the range ends, at most 400 days later; together with `start`.",
  sort: "What the rows are sorted by; by the list's own order where it is left out.",
  order: "`asc` (where it is left out) or `desc`.",
  "X-Request-Id":
    "The caller's own name for the request: 1 to 64 letters, digits, `-` and `_`. It comes back on the answer and stands in the panel's log; any other is replaced.",
  Prefer:
    "`handling=strict`: members of the body and parameters that the route does not know are refused by name, instead of being passed over.",
  "Idempotency-Key":
    "A repeat under the same key by the same caller is answered with the first success, byte for byte, for 24 hours.",
  "Scopes.scopes": { says: "Every scope that there is.", choices: "scopes" },
  "Scopes.routes": "By method and path: the first scope that a route needs. Empty: none; `-`: sessions alone reach it.",
  "Scopes.instead": "By method and path: a scope that is enough instead of the first.",
  "Scopes.also": "By method and path: the further scopes that every request needs.",
  "Scopes.sometimes": "By method and path: the scopes that only some requests need.",
  "MakePasswordAnswer.password": "The password that was made.",
  "Error.code": "What was refused, for programs.",
  v: "The version of the envelope: 1.",
};
