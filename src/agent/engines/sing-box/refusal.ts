// Why an item of the plan is not served by sing-box, in the words that an operator reads.
import { z } from "zod";
import { type Collection, forbiddenPaths } from "../../../dialect/index.ts";

/** Thrown while an item is compiled: the item is left out with this text as its warning. */
export class Refusal extends Error {
  override readonly name = "Refusal";
}

export function unserved(what: string, by?: "Xray"): Refusal {
  return new Refusal(`sing-box does not serve ${what}${by === undefined ? "" : `; ${by} does`}`);
}

/** `value` by `schema`; a Refusal naming the first field that is wrong. Keys are looked at by `onlyKeys`. */
export function parsed<T>(schema: z.ZodType<T>, value: unknown, under = ""): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const at = [under, ...(issue?.path ?? [])].filter((part) => part !== "").join(".");
  throw new Refusal(`\`${at}\`: ${issue?.message ?? "invalid"}`);
}

/** A block of the dialect: any JSON object. */
export const Block = z.record(z.string(), z.unknown());
export type Block = z.infer<typeof Block>;

/**
 * The engine refuses a whole configuration for one unknown key: so each is found here and named. `replaced`: keys of
 * older dialects and what takes their place. `under`: where the item stands in `fragment`, which its paths are named
 * without.
 */
export function onlyAllowed(
  collection: Collection,
  type: string,
  fragment: Block,
  replaced: Readonly<Record<string, string>> = {},
  under = "",
): void {
  const [found] = forbiddenPaths(collection, type, fragment);
  if (found === undefined) return;
  const path = found.startsWith(under) ? found.slice(under.length) : found;
  throw Object.hasOwn(replaced, path) ? new Refusal(`\`${path}\` ${replaced[path]}`) : unserved(`\`${path}\``);
}

/** Texts of a field that may be one text or a list. */
export function textsOf(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).filter((item) => typeof item === "string");
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** sing-box takes any text for a uuid and hashes what is none, so that client and server would not meet. */
export function isUuid(text: unknown): text is string {
  return typeof text === "string" && UUID.test(text);
}
