// Headers that many answers carry, each described once.
import type { Json } from "./components.ts";
import { takesKeys, type Route } from "../route.ts";

const integer = { type: "integer", format: "int64", minimum: 0 } as const;

export const HEADERS: Json = {
  "X-Request-Id": {
    description:
      "Names the request: the caller's own `X-Request-Id` where it sent one of up to 64 letters, digits, `-` and `_`, else a new one. The panel's log has it too.",
    schema: { type: "string" },
  },
  "X-RateLimit-Limit": {
    description: "Requests a minute that the token may make. Answers to sessions have none.",
    schema: integer,
  },
  "X-RateLimit-Remaining": { description: "Requests left to the token in this minute.", schema: integer },
  "X-RateLimit-Reset": { description: "Unix seconds at which the token's budget is whole again.", schema: integer },
  "Idempotent-Replay": {
    description: "`true` on the stored answer of an earlier request under the same `Idempotency-Key`, else absent.",
    schema: { type: "string", enum: ["true"] },
  },
  "Retry-After": {
    description: "Seconds to wait before the request is worth repeating.",
    schema: integer,
  },
  "X-Total-Count": { description: "Rows that the filters leave, without paging.", schema: integer },
  Link: {
    description:
      'Where the next page is: `<address>; rel="next"`. The address is a path with its parameters. Absent on the last one.',
    schema: { type: "string" },
  },
  "Preference-Applied": {
    description: "`handling=strict` on the answer to a request that preferred it, else absent.",
    schema: { type: "string", enum: ["handling=strict"] },
  },
  "WWW-Authenticate": { description: "`Bearer`.", schema: { type: "string" } },
};

/** References to headers of the components. */
export function headers(...names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** What every answer carries; the budget is told to tokens alone. */
export const SHARED_HEADERS = [
  "X-Request-Id",
  "Preference-Applied",
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
] as const;

export function successHeaders(route: Route): Json {
  return headers(
    ...SHARED_HEADERS,
    ...(takesKeys(route) ? ["Idempotent-Replay"] : []),
    ...(route.list === undefined ? [] : ["X-Total-Count", "Link"]),
  );
}
