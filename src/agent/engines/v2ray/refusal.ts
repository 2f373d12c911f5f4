// Why an item of the plan is not served by v2ray, in the words that an operator reads.
import { z } from "zod";

/** Thrown while an item is compiled: the item is left out with this text as its warning. */
export class Refusal extends Error {
  override readonly name = "Refusal";
}

const OTHERS = { xray: "Xray", singBox: "sing-box", both: "Xray and sing-box" } as const;

/** A sentence of the form "v2ray does not serve X; Y does." */
export function unserved(what: string, by?: keyof typeof OTHERS): Refusal {
  const [verb, names] = by === undefined ? ["", ""] : [by === "both" ? "do" : "does", OTHERS[by]];
  return new Refusal(`v2ray does not serve ${what}${by === undefined ? "" : `; ${names} ${verb}`}`);
}

/** `value` by `schema`; a Refusal naming the first field that is wrong, or keys that v2ray has nothing for. */
export function parsed<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  if (!issue) throw new Refusal("invalid");
  const at = issue.path.join(".");
  if (issue.code === "unrecognized_keys")
    throw unserved(issue.keys.map((key) => `\`${at === "" ? key : `${at}.${key}`}\``).join(", "), "singBox");
  throw new Refusal(`\`${at}\`: ${issue.message}`);
}
