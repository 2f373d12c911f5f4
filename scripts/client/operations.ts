// The client's types, from the panel's description: a table of operations, and a type for each schema, input and
// answer. `UPDATE_DOCS=1 npm test -- test/client/operations.test.ts` writes them to src/client/operations.ts.

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema | boolean;
  readonly prefixItems?: readonly Schema[];
  readonly description?: string;
}

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

interface Operation {
  readonly operationId: string;
  readonly summary?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content & { readonly required?: boolean };
  readonly responses: Readonly<Record<string, Content>>;
}

export interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  /** What webhooks are sent, by event. */
  readonly webhooks: Readonly<Record<string, { readonly post: Operation }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters?: Readonly<Record<string, Parameter>>;
  };
}

const METHODS = new Set(["get", "post", "put", "patch", "delete"]);
const PREFIX = "/api/v1";
/** Members that TypeScript takes without quotes. */
const PLAIN = /^[A-Za-z_$][\w$]*$/;

/** The text of src/client/operations.ts. */
export function clientOperations({ paths, webhooks, components }: Description): string {
  const operations = Object.entries(paths)
    .filter(([path]) => path.startsWith(`${PREFIX}/`))
    .flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([method, { responses }]) => METHODS.has(method) && responses["101"] === undefined)
        .map(([method, operation]) => ({ method: method.toUpperCase(), path: path.slice(PREFIX.length), operation })),
    )
    .toSorted((a, b) => (a.operation.operationId < b.operation.operationId ? -1 : 1));
  const named = (parameter: Parameter): Parameter => components.parameters?.[lastOf(parameter.$ref)] ?? parameter;
  const inputs = operations.map(
    ({ operation }) => `${doc(operation.summary)}${operation.operationId}: ${inputOf(operation, named)};`,
  );
  const answers = operations.map(({ operation }) => `${operation.operationId}: ${answerOf(operation)};`);
  return [
    "// What the panel's description says, as types. Written by `UPDATE_DOCS=1 npm test -- test/client/operations.test.ts`.",
    "// oxlint-disable max-lines",
    "",
    "/** Method and path of each operation, by its name in the description. */",
    "export const OPERATIONS = {",
    ...operations.map(
      ({ method, path, operation }) =>
        `${operation.operationId}: [${JSON.stringify(method)}, ${JSON.stringify(path)}],`,
    ),
    "} as const;",
    "",
    "export type OperationId = keyof typeof OPERATIONS;",
    "",
    "/** What each operation takes: parameters of its path, of its query, and its body. */",
    "export interface Inputs {",
    ...inputs,
    "}",
    "",
    "/** What each operation answers. */",
    "export interface Answers {",
    ...answers,
    "}",
    "",
    "/** Any event, with what belongs to it: `event` tells which. Later panels may send others. */",
    `export type PanelEvent = ${union(Object.values(webhooks).map(({ post }) => eventOf(post)))};`,
    ...Object.entries(components.schemas).flatMap(([name, schema]) => [
      "",
      `${doc(schema.description)}${declared(name, schema)}`,
    ]),
    "",
  ].join("\n");
}

function declared(name: string, schema: Schema): string {
  return `export type ${name} = ${typeOf(schema)};`;
}

function inputOf({ parameters = [], requestBody }: Operation, named: (parameter: Parameter) => Parameter): string {
  const of = (place: string): Schema | undefined => {
    const here = parameters.map(named).filter((parameter) => parameter.in === place);
    if (here.length === 0) return undefined;
    return {
      type: "object",
      properties: Object.fromEntries(
        here.map(({ name, schema, description }) => [
          name,
          description === undefined ? schema : { ...schema, description },
        ]),
      ),
      required: here.filter(({ required }) => required === true).map(({ name }) => name),
    };
  };
  const path = of("path");
  const query = of("query");
  const body = requestBody?.content?.["application/json"]?.schema;
  const members = [
    ...(path ? [`path: ${typeOf(path)}`] : []),
    ...(query ? [`query${query.required?.length === 0 ? "?" : ""}: ${typeOf(query)}`] : []),
    ...(body ? [`body${requestBody?.required === true ? "" : "?"}: ${typeOf(body)}`] : []),
  ];
  return members.length === 0 ? "object" : `{ ${members.join("; ")} }`;
}

function eventOf({ requestBody }: Operation): string {
  return typeOf(requestBody?.content?.["application/json"]?.schema ?? {});
}

function answerOf({ responses }: Operation): string {
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith("2")) ?? [];
  const [type, content] = Object.entries(success?.content ?? {})[0] ?? [];
  if (type === undefined) return "undefined";
  return type.includes("json") && content?.schema ? typeOf(content.schema) : "string";
}

/** A JSON Schema as a TypeScript type. What has no type of its own here is `unknown`. */
export function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return lastOf(schema.$ref);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return union(schema.enum.map((value) => JSON.stringify(value)));
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return union(choices.map(typeOf));
  if (schema.allOf) return schema.allOf.map((each) => `(${typeOf(each)})`).join(" & ");
  if (Array.isArray(schema.type)) return union(schema.type.map((type: string) => typeOf({ ...schema, type })));
  switch (schema.type) {
    case "string":
      return "string";
    case "integer":
    case "number":
      return "number";
    case "boolean":
      return "boolean";
    case "null":
      return "null";
    case "array":
      if (schema.prefixItems) return `readonly [${schema.prefixItems.map(typeOf).join(", ")}]`;
      return `readonly (${typeof schema.items === "object" ? typeOf(schema.items) : "unknown"})[]`;
    case "object":
      return objectType(schema);
    default:
      return "unknown";
  }
}

function objectType({ properties = {}, required = [], additionalProperties }: Schema): string {
  const members = Object.entries(properties).map(([name, member]) => {
    const key = PLAIN.test(name) ? name : JSON.stringify(name);
    return `${doc(member.description)}readonly ${key}${required.includes(name) ? "" : "?"}: ${typeOf(member)};`;
  });
  const rest = typeof additionalProperties === "object" ? typeOf(additionalProperties) : "unknown";
  if (members.length === 0) return `{ readonly [name: string]: ${rest} }`;
  return `{\n${members.join("\n")}\n}`;
}

/** A text that is named beside `string` says nothing to TypeScript. */
function union(types: readonly string[]): string {
  const kept = types.includes("string") ? types.filter((type) => !/^"[^"]*"$/.test(type)) : types;
  return types.length === 0 ? "never" : [...new Set(kept)].join(" | ");
}

/** A docstring of at most 120 columns, whatever the indentation that the formatter gives it. */
function doc(text: string | undefined): string {
  if (text === undefined || text === "") return "";
  const lines: string[] = [];
  for (const word of text.replaceAll("*/", "* /").split(/\s+/)) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length > 95) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines.length === 1 ? `/** ${lines[0]} */\n` : `/**\n${lines.map((line) => ` * ${line}`).join("\n")}\n */\n`;
}

function lastOf(reference: string | undefined): string {
  return reference?.split("/").at(-1) ?? "";
}
