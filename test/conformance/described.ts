// The description document as a test reads it: operations one by one, and whether an answer is what it promises.
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

export interface Schema {
  readonly [keyword: string]: unknown;
}

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required: boolean;
  readonly schema: Schema;
}

interface DescribedResponse {
  readonly $ref?: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
  /** Codes of a refusal. */
  readonly "x-codes"?: readonly string[];
}

interface DescribedOperation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly required?: boolean;
    readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
  };
  readonly responses: Readonly<Record<string, DescribedResponse>>;
  readonly security: readonly Readonly<Record<string, unknown>>[];
}

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, DescribedResponse & Schema>>>>;
}

/** One method of one path under one prefix. */
export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** Absent where the route takes no JSON body. */
  readonly body: Schema | undefined;
  readonly bodyRequired: boolean;
  readonly open: boolean;
  /** No API token reaches it. */
  readonly sessionOnly: boolean;
  readonly responses: Readonly<Record<string, DescribedResponse>>;
}

export interface Received {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

export class Description {
  readonly operations: readonly Operation[];
  readonly #document: Document;
  readonly #ajv = new Ajv2020({ strict: false, allErrors: false, validateFormats: true });
  readonly #compiled = new Map<string, ValidateFunction>();

  constructor(document: Document) {
    this.#document = document;
    addFormats.default(this.#ajv);
    this.#ajv.addSchema({ $id: "api", components: document.components });
    this.operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => operationOf(path, method.toUpperCase(), operation)),
    );
  }

  /** A schema of the description without references at its top. */
  resolve(schema: Schema): Schema {
    const target = schema["$ref"];
    if (typeof target !== "string") return schema;
    const found = this.#document.components["schemas"]?.[target.replace("#/components/schemas/", "")];
    if (found === undefined) throw new Error(`nothing is at ${target}`);
    return this.resolve(found);
  }

  /** Why `value` is not what `schema` says; undefined when it is. */
  objection(schema: Schema, value: unknown): string | undefined {
    const text = JSON.stringify(schema);
    let validate = this.#compiled.get(text);
    if (validate === undefined) {
      validate = this.#ajv.compile(JSON.parse(text.replaceAll('"#/components/', '"api#/components/')) as Schema);
      this.#compiled.set(text, validate);
    }
    return validate(value) ? undefined : this.#ajv.errorsText(validate.errors);
  }

  /** What is wrong with an answer: an undocumented status, headers or a body of another shape. */
  faults(
    { method, responses, sessionOnly, open }: Operation,
    { status, headers, body }: Received,
    byToken: boolean,
  ): string[] {
    const described = responses[String(status)];
    // A queue that is full says so; any other 503 would be a panel that is not well.
    const busy = status === 503 && body.includes('"code":"too_busy"');
    if (status === 0 || status === 500 || (status === 503 && !busy)) return [`${status}: ${body.slice(0, 200)}`];
    if (described === undefined) return [`${status} is not documented: ${body.slice(0, 200)}`];
    const response =
      described.$ref === undefined
        ? described
        : this.#document.components["responses"]?.[described.$ref.split("/").at(-1) ?? ""];
    const faults =
      status < 400 ? this.#successFaults(response, headers, body) : this.#refusalFaults(status, response, body);
    if (headers["x-content-type-options"] !== "nosniff" || headers["x-frame-options"] !== "DENY")
      faults.push("security headers are missing");
    if (byToken && !open && status !== 401 && headers["x-ratelimit-limit"] === undefined)
      faults.push("no X-RateLimit headers");
    if (byToken && sessionOnly && status < 400) faults.push(`a token reached ${method} of a session-only route`);
    if (headers["x-injected"] !== undefined) faults.push("a header was injected");
    return faults;
  }

  #successFaults(response: DescribedResponse | undefined, headers: Received["headers"], body: string): string[] {
    const type = String(headers["content-type"] ?? "").split(";")[0] ?? "";
    const content = response?.content?.[type];
    if (content === undefined) return [`the content type ${type} is not documented`];
    const missing = Object.keys(response?.headers ?? {}).filter(
      (name) => name === "X-Total-Count" && headers["x-total-count"] === undefined,
    );
    const faults = missing.map((name) => `${name} is missing`);
    if (type !== "application/json" || content.schema === undefined) return faults;
    const objection = this.objection(content.schema, JSON.parse(body));
    if (objection !== undefined)
      faults.push(`the answer is not what is documented: ${objection}: ${body.slice(0, 300)}`);
    return faults;
  }

  /** The shape of every refusal (rule http.error.1). */
  #refusalFaults(status: number, response: DescribedResponse | undefined, body: string): string[] {
    const parsed = JSON.parse(body) as Record<string, unknown>;
    const objection = this.objection(response?.content?.["application/json"]?.schema ?? {}, parsed);
    const faults =
      objection === undefined ? [] : [`the refusal is not what is documented: ${objection}: ${body.slice(0, 200)}`];
    if (!response?.["x-codes"]?.includes(String(parsed["code"])))
      faults.push(`the code of this refusal is not documented: ${body.slice(0, 200)}`);
    if (status === 400 && parsed["code"] === "validation" && typeof parsed["field"] !== "string")
      faults.push(`no field: ${body}`);
    if (/\n\s+at |node_modules|\.ts:\d|select .* from|SQLITE|error: relation/i.test(body))
      faults.push(`private detail: ${body.slice(0, 200)}`);
    return faults;
  }
}

function operationOf(path: string, method: string, operation: DescribedOperation): Operation {
  const body = operation.requestBody;
  return {
    method,
    path,
    parameters: operation.parameters ?? [],
    body: body?.content["application/json"]?.schema,
    bodyRequired: body?.required === true,
    open: operation.security.length === 0,
    sessionOnly: operation.security.length > 0 && operation.security.every((way) => !("token" in way)),
    responses: operation.responses,
  };
}
