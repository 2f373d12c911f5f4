// Why an item of the plan is not served by sing-box, in the words that an operator reads.
import { z } from "zod";

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

/** The engine refuses a whole configuration for one unknown key: so each is found here and named. `replaced`: keys of older dialects and what takes their place. */
export function onlyKeys(block: Block, known: readonly string[], under = "", replaced: Readonly<Record<string, string>> = {}): void {
  for (const key of Object.keys(block)) {
    const path = under === "" ? key : `${under}.${key}`;
    const instead = Object.hasOwn(replaced, key) ? replaced[key] : undefined;
    if (instead !== undefined) throw new Refusal(`\`${path}\` ${instead}`);
    if (!known.includes(key)) throw unserved(`\`${path}\``);
  }
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
