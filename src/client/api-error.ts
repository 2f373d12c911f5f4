// A refusal of the API, as a call gets it.

/** A refusal, as the API words it (rule http.error.1). */
export class ApiError extends Error {
  override readonly name = "ApiError";
  /** 0: the panel was not reached. */
  readonly status: number;
  readonly code: string | undefined;
  /** First offending field. */
  readonly field: string | undefined;
  readonly issues: readonly RefusedField[];
  /** Seconds after which asking again makes sense. */
  readonly retryAfter: number | undefined;
  /** For readers of the panel's log. */
  readonly requestId: string | undefined;
  /** The answer's body: some refusals carry more, such as the record of a version conflict. */
  readonly body: RefusalBody;

  constructor(status: number, body: RefusalBody, { retryAfter, requestId, cause }: RefusalFrame = {}) {
    super(body.error ?? `HTTP ${status}`, { cause });
    this.status = status;
    this.code = body.code;
    this.field = body.field;
    this.issues = body.issues ?? [];
    this.retryAfter = retryAfter;
    this.requestId = requestId;
    this.body = body;
  }
}

/**
 * One field that is refused. `code` and `values` name the rule (`http/refusals/rule.schema.ts`), where it has a name.
 */
export interface RefusedField {
  readonly path: string;
  readonly message: string;
  readonly code?: string;
  readonly values?: readonly (string | number)[];
}

export interface RefusalBody {
  readonly error?: string;
  readonly code?: string;
  readonly field?: string;
  readonly issues?: readonly RefusedField[];
  /** How many fields are refused: more than twenty are not listed. */
  readonly issueCount?: number;
  readonly inProgress?: boolean;
  readonly [more: string]: unknown;
}

interface RefusalFrame {
  readonly retryAfter?: number | undefined;
  readonly requestId?: string | undefined;
  readonly cause?: unknown;
}
