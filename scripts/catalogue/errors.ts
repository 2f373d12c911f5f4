// docs/errors.md, from the codes themselves and from what the description says of each operation.
// `UPDATE_DOCS=1 npm test -- test/openapi/errors-page.test.ts` writes it.
import { CLOSER_CODES, ERRORS, type CloserCode, type ErrorName } from "../../src/http/refusals/code.schema.ts";
import { RULES } from "../../src/http/refusals/rule.schema.ts";

/** The parts of the API description that are read here. */
export interface DescribedRefusals {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: {
    readonly responses: Readonly<Record<string, { readonly "x-codes"?: readonly string[] }>>;
    readonly schemas: Readonly<Record<string, DescribedSchema>>;
  };
}

interface DescribedOperation {
  readonly operationId?: string;
  readonly responses?: Readonly<Record<string, { readonly $ref?: string }>>;
}

interface DescribedSchema {
  readonly properties?: Readonly<Record<string, { readonly const?: unknown; readonly description?: string }>>;
}

/** More operations than this are not listed by name. */
const LISTED = 8;
/** What every refusal carries. */
const SHARED: ReadonlySet<string> = new Set(["error", "code"]);

/** The tables of codes and of rules, as one Markdown text. */
export function errorTables(description: DescribedRefusals): string {
  const users = operationsByCode(description);
  const codes = Object.entries(ERRORS)
    .toSorted(([, a], [, b]) => a.status - b.status)
    .flatMap(([name, { status, text }]) => [
      { code: name, status, text, of: "" },
      ...closerOf(name).map(([code, closer]) => ({ code, status, text: closer, of: name })),
    ]);
  return [
    "| Code | Status | Says | Carries | Operations |",
    "| --- | --- | --- | --- | --- |",
    ...codes.map(({ code, status, text, of }) => {
      const closer = of === "" ? "" : ` (a closer \`${of}\`)`;
      return `| \`${code}\` | ${status} | ${text}${closer} | ${fieldsOf(code, description)} | ${named(users.get(code), of)} |`;
    }),
    "",
    "## Rules of fields",
    "",
    "`issues[].code`, with `values` in the order of the words in ‹›.",
    "",
    "| Rule | Says |",
    "| --- | --- |",
    ...Object.entries(RULES).map(([code, sentence]) => `| \`${code}\` | ${sentenceOf(sentence)} |`),
  ].join("\n");
}

function closerOf(name: string): [CloserCode, string][] {
  return Object.entries(CLOSER_CODES)
    .filter(([, { of }]) => of === (name as ErrorName))
    .map(([code, { text }]) => [code as CloserCode, text]);
}

/** Members that only this code's refusals have, as their schema says. */
function fieldsOf(code: string, { components }: DescribedRefusals): string {
  const own = Object.values(components.schemas).find(({ properties }) => properties?.["code"]?.const === code);
  return Object.entries(own?.properties ?? {})
    .filter(([name]) => !SHARED.has(name))
    .map(([name, { description = "" }]) => `\`${name}\`: ${description.replace(/\.$/, "")}`)
    .join("; ");
}

function operationsByCode({ paths, components }: DescribedRefusals): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { operationId, responses = {} } of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    if (operationId === undefined) continue;
    for (const { $ref } of Object.values(responses)) {
      for (const code of components.responses[$ref?.split("/").at(-1) ?? ""]?.["x-codes"] ?? []) {
        const users = found.get(code) ?? [];
        found.set(code, users);
        users.push(operationId);
      }
    }
  }
  return found;
}

function named(operations: readonly string[] | undefined, of: string): string {
  if (operations === undefined) return of === "" ? "before any of them" : "";
  if (operations.length > LISTED) return `${operations.length} of them`;
  return operations
    .toSorted()
    .map((name) => `\`${name}\``)
    .join(", ");
}

type Sentence = string | ((...values: never[]) => string);

/** A rule's sentence with the names of its values in their places. */
function sentenceOf(sentence: Sentence): string {
  if (typeof sentence === "string") return sentence;
  const [, parameters = ""] = /^\(([^)]*)\)/.exec(String(sentence)) ?? [];
  const names = parameters.split(",").map((name) => `‹${name.replace("...", "").trim()}›`);
  return (sentence as (...values: string[]) => string)(...names);
}
