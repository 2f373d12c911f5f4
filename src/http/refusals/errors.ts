// A refusal: thrown anywhere below a handler, it becomes the answer. The codes are in `code.schema.ts`.

import { MOST_ISSUES, shortName, shortPath, shortSentence } from "./bounds.ts";
import { CLOSER_RULES, ERRORS, type CloserCode, type ErrorName } from "./code.schema.ts";
import type { BrokenRule, Rule } from "./rules.ts";

/** A field and why it is refused: by the code of the rule (`rule.schema.ts`), and in a sentence. */
export interface RefusedField extends BrokenRule {
  readonly path: string;
  readonly message: string;
}

export interface RefusalDetail {
  /** Public text in place of the table's. */
  readonly message?: string;
  /**
   * In place of the name. `duplicate`: a value that is taken keeps a record from coming back (409). `confirm`: the
   * request does not say that it means what it does (400).
   */
  readonly code?: CloserCode | "duplicate" | "confirm";
  /** First offending field, as a path: `limits.volume`, `inboundIds.2`. */
  readonly field?: string;
  /** More than twenty are not told; each with a short path. */
  readonly issues?: readonly RefusedField[];
  /** How many issues there are; as many as are given unless said. */
  readonly issueCount?: number;
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
    const message = detail.message === undefined ? ERRORS[kind].text : shortSentence(detail.message);
    super(message, detail.cause === undefined ? undefined : { cause: detail.cause });
    this.kind = kind;
    this.detail = bounded(kind === "validation" ? closer(detail) : detail);
  }

  get status(): number {
    return ERRORS[this.kind].status;
  }

  /** The answer's body. */
  body(): Record<string, unknown> {
    const { code, field, issues, issueCount, extra } = this.detail;
    return {
      error: this.message,
      code: code ?? this.kind,
      ...(field === undefined ? {} : { field }),
      ...(issues === undefined ? {} : { issues, issueCount }),
      ...extra,
    };
  }
}

/** A broken rule that says more than that the request is not valid is the code of the answer. */
function closer(detail: RefusalDetail): RefusalDetail {
  const [first] = detail.issues ?? [];
  const code = first && CLOSER_RULES[first.code];
  return detail.code === undefined && code !== undefined ? { ...detail, code } : detail;
}

/** What is told of it, whoever refuses and however much is wrong. */
function bounded(detail: RefusalDetail): RefusalDetail {
  const { field, issues } = detail;
  if (field === undefined && issues === undefined) return detail;
  return {
    ...detail,
    ...(field === undefined ? {} : { field: shortPath(field) }),
    ...(issues === undefined
      ? {}
      : { issues: issues.slice(0, MOST_ISSUES).map(short), issueCount: detail.issueCount ?? issues.length }),
  };
}

function short({ path, message, values, ...rest }: RefusedField): RefusedField {
  return {
    path: shortPath(path),
    message: shortSentence(message),
    ...rest,
    ...(values === undefined
      ? {}
      : { values: values.map((value) => (typeof value === "string" ? shortName(value) : value)) }),
  };
}

/** Throws a refusal; for use as an expression: `row ?? refuse("not_found")`. */
export function refuse(kind: ErrorName, detail: RefusalDetail = {}): never {
  throw new Refusal(kind, detail);
}

/** A 400 that names the field. */
export function invalid(field: string, broken: Rule): never {
  throw new Refusal("validation", {
    message: `${shortPath(field)}: ${broken.message}`,
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
