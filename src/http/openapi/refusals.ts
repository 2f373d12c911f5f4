// The refusals of each operation: which statuses, under each its codes, and what fields go with a code.
import { CLOSER_CODES, ERRORS, type CloserCode, type ErrorName } from "../refusals/code.schema.ts";
import { RULES } from "../refusals/rule.schema.ts";
import { extrasOf, takesKeys, type Route } from "../route.ts";
import type { Components, Json } from "./components.ts";
import { takesTime } from "../written-time.ts";
import { headers, SHARED_HEADERS } from "./headers.ts";
import { pascal } from "./operation-ids.ts";

type Code = ErrorName | CloserCode;

/** The router's refusal: no operation's own. */
const BEFORE_ROUTES: ReadonlySet<ErrorName> = new Set(["method_not_allowed"]);
/** Refusals that say when to come again. */
const RETRIED: ReadonlySet<number> = new Set([409, 429, 503]);

const text = (description: string): Json => ({ type: "string", description });

/** Every code of every refusal. */
const ERROR_CODE: Json = {
  type: "string",
  description: "What was refused, for programs: it never changes, the sentence may.",
  enum: [...Object.keys(ERRORS), ...Object.keys(CLOSER_CODES)],
};

const ISSUE: Json = {
  type: "object",
  required: ["path", "message", "code"],
  properties: {
    path: text("The field, as a path: `limits.volume`, `inboundIds.2`."),
    message: text("What is wrong with it, for people."),
    code: { type: "string", description: "The rule that was broken.", enum: Object.keys(RULES) },
    values: {
      type: "array",
      description: "The rule's bounds, choices or names.",
      items: { type: ["string", "number"] },
    },
  },
};

/** Names of schemas where a code is the name of something else too. */
const NAMED: Readonly<Partial<Record<Code, string>>> = { scope: "ScopeMissing", confirm: "ConfirmationNeeded" };

/** The reason why a node did not do what was asked. The schema is one of the node's answers. */
const NODE_CAUSE: Json = {
  $ref: "#/components/schemas/NodeCause",
  description: "Why a node did not do it; absent where no node is to blame.",
};

/** What goes with a code beside sentence and code. */
const FIELDS: Readonly<Partial<Record<Code, Json>>> = {
  version_conflict: {
    current: {
      type: "object",
      description: "The record as it is now, in the form in which the route answers it.",
      additionalProperties: true,
    },
  },
  in_progress: { inProgress: { type: "boolean", description: "`true`.", const: true } },
  scope: { scope: text("The scope that is missing.") },
  cross_site: {
    origin: text("Whose page sent the request, as the browser says it; empty where it says none."),
    expected: text("The panel's own origin, by the `Host` of the request."),
  },
  confirm: { confirm: { type: "string", description: "Which second factor is asked for.", enum: ["totp"] } },
  node_off: { cause: NODE_CAUSE },
  in_use: { names: { type: "array", description: "Who uses the record.", items: { type: "string" } } },
};

function errorSchema(components: Components): Json {
  return components.add("Error", {
    type: "object",
    description: "A refusal.",
    required: ["error", "code"],
    properties: {
      error: text("What was refused, for people."),
      code: components.add("ErrorCode", ERROR_CODE),
      field: text("The first offending field, as a path; absent where no field is to blame."),
      issues: {
        type: "array",
        description: "The offending fields, the first twenty of them; absent where no field is to blame.",
        items: components.add("ErrorIssue", ISSUE),
      },
      issueCount: {
        type: "integer",
        description: "How many fields offend, also those that `issues` does not list; absent where `issues` is.",
        minimum: 1,
      },
      cause: NODE_CAUSE,
    },
  });
}

/** The schema of a code's refusals: its own where fields go with it under that status. */
function schemaOf(code: Code, status: number, components: Components): Json {
  const fields = status === statusOf(code) ? FIELDS[code] : undefined;
  if (fields === undefined) return errorSchema(components);
  return components.add(NAMED[code] ?? pascal(code), {
    type: "object",
    description: `The refusal \`${code}\`: ${textOf(code)}.`,
    required: ["error", "code", ...Object.keys(fields)],
    properties: {
      error: text("What was refused, for people."),
      code: { type: "string", description: "Which refusal this is.", const: code },
      ...fields,
    },
  });
}

const isCloser = (code: Code): code is CloserCode => code in CLOSER_CODES;

function textOf(code: Code, status = statusOf(code)): string {
  if (status !== statusOf(code)) return "the request does not say that it means what it does";
  return isCloser(code) ? CLOSER_CODES[code].text : ERRORS[code].text;
}

function statusOf(code: Code): number {
  return ERRORS[isCloser(code) ? CLOSER_CODES[code].of : code].status;
}

/** Whether the status stands for this code on this route, beside what the route says itself. */
function isMeant(code: ErrorName, route: Route, takesVersion: boolean): boolean {
  const { auth, method } = route;
  const says = (status: number) => route.statuses?.includes(status) === true;
  const sends = method !== "GET";
  switch (code) {
    case "validation":
    case "malformed_json":
      return code === "validation" || (sends && route.stream !== true);
    case "duplicate":
      return sends && route.body !== undefined;
    case "token_refused":
      return route.tokenStatus === 400;
    case "unauthenticated":
      return auth !== "open";
    case "wrong_code":
    case "bad_credentials":
      return says(401);
    case "scope":
    case "forbidden":
      return auth !== "open" || says(403);
    case "token_closed":
      return auth === "session";
    case "cross_site":
      return sends;
    case "address_refused":
      return auth !== "open" || says(403);
    case "account_expired":
      return (auth !== "open" && sends) || says(403);
    case "conflict":
      return says(409);
    case "version_conflict":
      return takesVersion;
    case "setup_finished":
      return auth === "open" && says(409);
    case "in_progress":
    case "idempotency_reuse":
    case "answer_gone":
      return takesKeys(route);
    default:
      return true;
  }
}

/** Every status a route can answer beside its success. 404: while setup is pending every route does. */
function statusesOf(route: Route): ReadonlySet<number> {
  const shared = [400, 404, 429, 431, 500, 503, ...(route.auth === "open" ? [] : [401, 403])];
  // Whatever else is sent as a body is read before anybody knows that the route takes none.
  const sent = route.method === "GET" ? [] : route.stream === true ? [408, 413] : [408, 413, 415];
  const crossSite = route.auth === "open" && route.method !== "GET" ? [403] : [];
  const keyed = takesKeys(route) ? [409] : [];
  const confirmed = route.sensitive === true || extrasOf(route).some((extra) => extra.sensitive === true) ? [428] : [];
  const sessions = route.tokenStatus === undefined ? [] : [route.tokenStatus];
  const said = [...(route.statuses ?? []), ...(route.codes ?? []).map(statusOf)];
  return new Set([...shared, ...sent, ...crossSite, ...keyed, ...confirmed, ...sessions, ...said]);
}

/** The codes of a route's refusals, by status. */
export function refusalCodes(route: Route, takesVersion: boolean): Map<number, Code[]> {
  const names = (Object.keys(ERRORS) as ErrorName[]).filter((code) => !BEFORE_ROUTES.has(code));
  const said = route.codes ?? [];
  const timed = !said.includes("time_range") && (takesTime(route.body) || takesTime(route.query));
  const closer: readonly CloserCode[] = timed ? [...said, "time_range"] : said;
  return new Map(
    [...statusesOf(route)]
      .toSorted((a, b) => a - b)
      .map((status) => {
        const own = names.filter((code) => statusOf(code) === status && isMeant(code, route, takesVersion));
        const worded = status === 400 && route.worded === true ? (["confirm"] as const) : [];
        return [status, [...own, ...closer.filter((code) => statusOf(code) === status), ...worded]];
      }),
  );
}

/** Answers to refused requests: collected, as many operations refuse alike. */
export class Refusals {
  readonly responses: Json = {};
  readonly #components: Components;

  constructor(components: Components) {
    this.#components = components;
  }

  /** References to a route's refusing answers, by status. */
  of(route: Route, takesVersion: boolean): Json {
    return Object.fromEntries(
      [...refusalCodes(route, takesVersion)].map(([status, codes]) => [String(status), this.#response(status, codes)]),
    );
  }

  #response(status: number, codes: readonly Code[]): Json {
    const name = codes.map(pascal).join("Or");
    const schemas = new Map(
      codes.map((code) => {
        const schema = schemaOf(code, status, this.#components);
        return [JSON.stringify(schema), schema];
      }),
    );
    // What is more than sentence and code comes first: the first form that fits is the one.
    const forms = [...schemas.values()].toSorted((a, b) => Number(isError(a)) - Number(isError(b)));
    const [only, ...others] = forms;
    this.responses[name] ??= {
      description: codes.map((code) => `\`${code}\`: ${textOf(code, status)}`).join("; "),
      headers: headers(
        ...SHARED_HEADERS,
        ...(RETRIED.has(status) ? ["Retry-After"] : []),
        ...(status === 401 ? ["WWW-Authenticate"] : []),
      ),
      content: {
        "application/json": {
          schema: others.length === 0 && only ? only : this.#anyOf(forms),
        },
      },
      "x-codes": codes,
    };
    return { $ref: `#/components/responses/${name}` };
  }

  #anyOf(forms: readonly Json[]): Json {
    const names = forms.map(({ $ref }) => String($ref).split("/").at(-1));
    return this.#components.add(names.join("Or"), { anyOf: forms });
  }
}

function isError(schema: Json): boolean {
  return schema["$ref"] === "#/components/schemas/Error";
}
