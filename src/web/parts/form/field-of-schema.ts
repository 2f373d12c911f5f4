// The input that a schema asks for: what kind of value it takes, and which of them.
import { unionOf, type Schema } from "../schema/schema.ts";
import type { AnyField } from "./field.ts";

export interface FieldText {
  readonly label: string;
  readonly help?: string | undefined;
  /** For a choice: the label when nothing is chosen. */
  readonly none?: string;
}

const LAST_PORT = 65_535;

/** Undefined: no single input can hold it. */
export function fieldOfSchema(name: string, schema: Schema, required: boolean, text: FieldText): AnyField | undefined {
  const { label, help } = text;
  const common = { name, label, ...(help === undefined ? {} : { help }), ...(required ? { required: true } : {}) };
  const merged = { ...schema, ...Object.assign({}, ...(schema.allOf ?? [])) } as Schema;
  const named = typeof merged.const === "string" ? [merged.const] : merged.enum;
  const choices = named?.filter((each) => typeof each === "string");
  if (choices && choices.length === named?.length) {
    const offered = required || choices.includes("") ? choices : ["", ...choices];
    return {
      ...common,
      kind: "select",
      choices: offered.map((value) => ({ value, label: value === "" ? "—" : value })),
    };
  }
  if (isTexts(merged)) return { ...common, kind: "texts" };
  const types = typesOf(merged);
  if (types.includes("string") || types.length === 0) {
    if (merged.properties || merged.additionalProperties !== undefined || merged.items !== undefined || unionOf(merged))
      return undefined;
    return { ...common, kind: merged.writeOnly === true ? "secret" : "text", code: true };
  }
  if (types.includes("boolean")) return { ...common, kind: "switch" };
  if (types.includes("integer") || types.includes("number"))
    return {
      ...common,
      kind: "number",
      zero: "",
      ...(types.includes("number") ? { decimals: true } : {}),
      ...(merged.maximum === LAST_PORT ? { code: true } : {}),
    };
  return undefined;
}

/** A list of texts, or where one text may stand alone too. */
function isTexts({ anyOf, items, type }: Schema): boolean {
  if (type === "array") return typeof items === "object" && items.type === "string";
  return anyOf !== undefined && anyOf.some(isTexts) && anyOf.every((each) => each.type === "string" || isTexts(each));
}

/** Without null, which is how JSON says nothing. */
function typesOf({ type, anyOf }: Schema): readonly string[] {
  if (anyOf) return [...new Set(anyOf.flatMap(typesOf))];
  const all = type === undefined ? [] : typeof type === "string" ? [type] : type;
  return all.filter((each) => each !== "null");
}
