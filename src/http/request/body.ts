// Bodies: JSON whose raw bytes are kept for the idempotency hash; an empty one is undefined.
import { Refusal, refusedField } from "../refusals/errors.ts";
import { rule, ruleSaying, type Rule } from "../refusals/rules.ts";

/**
 * Levels of objects and arrays in a body. Deeper ones would exhaust the stack of whatever walks them later: schemas,
 * audit, databases.
 */
const DEEPEST = 64;

/** Decoded UTF-8 has no other way to write these than an escape; a NUL as it is, is no JSON. */
const ESCAPED_FAULT = /\\u(0000|d[89a-f])/i;

const BROKEN_NAME = ruleSaying(
  "must not contain names with NUL characters or halves of surrogate pairs",
  "unstorable_text",
);

const decoder = new TextDecoder("utf-8", { fatal: true });

/** What no database stores alike, with the names that lead to it, innermost first. */
interface Fault {
  readonly path: string[];
  readonly broken: Rule;
}

function textFault(text: string): Fault | undefined {
  if (text.includes("\u0000")) return { path: [], broken: rule("unstorable_text") };
  if (!text.isWellFormed())
    return { path: [], broken: ruleSaying("must not contain halves of surrogate pairs", "unstorable_text") };
  return undefined;
}

/** `texts`: whether any text can be at fault at all. */
function faultIn(value: unknown, texts: boolean, depth: number): Fault | undefined {
  if (typeof value === "string") return texts ? textFault(value) : undefined;
  if (value === null || typeof value !== "object") return undefined;
  if (depth >= DEEPEST) return { path: [], broken: rule("too_deep", DEEPEST) };
  const members = value as Readonly<Record<string, unknown>>;
  // Parsed JSON has own members only, and a list of entries for each object would double the cost of large bodies.
  for (const key in members) {
    if (texts && textFault(key)) return { path: [], broken: BROKEN_NAME };
    const fault = faultIn(members[key], texts, depth + 1);
    if (fault) {
      fault.path.push(key);
      return fault;
    }
  }
  return undefined;
}

/**
 * Parses a JSON body. Throws a 400 for what is not JSON in UTF-8, and one that names the field for text that not every
 * database stores (NUL, halves of surrogate pairs) and for what is nested too deep.
 */
export function parseJsonBody(bytes: Uint8Array): unknown {
  let value: unknown;
  let text: string;
  try {
    text = decoder.decode(bytes);
    if (text.trim() === "") return undefined;
    value = JSON.parse(text);
  } catch (cause) {
    throw new Refusal("malformed_json", { cause });
  }
  const fault = faultIn(value, ESCAPED_FAULT.test(text), 0);
  if (fault) throw faultRefusal(fault);
  return value;
}

/** The refusal of parsed JSON with such text, or nested so deep; undefined where it is as every database stores it. */
export function unstorable(value: unknown): Refusal | undefined {
  const fault = faultIn(value, true, 0);
  return fault && faultRefusal(fault);
}

function faultRefusal({ path, broken }: Fault): Refusal {
  // The outer names of a deep path say enough.
  const field = path.toReversed().slice(0, 8).join(".") || "body";
  return new Refusal("validation", {
    message: `${field}: ${broken.message}`,
    field,
    issues: [refusedField(field, broken)],
  });
}
