// Why an item of the plan is not served by an engine, in the words that an operator reads.
import { z } from "zod";

/** Thrown while an item is compiled: the item is left out with this text as its warning. */
export class Refusal extends Error {
  override readonly name = "Refusal";
}

const OTHERS = { xray: "Xray", singBox: "sing-box", both: "Xray and sing-box" } as const;

/** Speaks for one engine. */
export interface Speaker {
  readonly name: string;
  /** A sentence of the form "v2ray does not serve X; Y does." */
  readonly unserved: (what: string, by?: keyof typeof OTHERS) => Refusal;
  /** `value` by `schema`; a Refusal naming the first field that is wrong, or keys that the engine has nothing for. */
  readonly parsed: <T>(schema: z.ZodType<T>, value: unknown) => T;
}

export function speakerFor(name: "v2ray" | "Xray"): Speaker {
  const unserved = (what: string, by?: keyof typeof OTHERS): Refusal => {
    const [verb, names] = by === undefined ? ["", ""] : [by === "both" ? "do" : "does", OTHERS[by]];
    return new Refusal(`${name} does not serve ${what}${by === undefined ? "" : `; ${names} ${verb}`}`);
  };
  const parsed = <T>(schema: z.ZodType<T>, value: unknown): T => {
    const result = schema.safeParse(value);
    if (result.success) return result.data;
    const [issue] = result.error.issues;
    if (!issue) throw new Refusal("invalid");
    const at = issue.path.join(".");
    if (issue.code === "unrecognized_keys")
      throw unserved(issue.keys.map((key) => `\`${at === "" ? key : `${at}.${key}`}\``).join(", "), "singBox");
    throw new Refusal(`\`${at}\`: ${issue.message}`);
  };
  return { name, unserved, parsed };
}

/** Compiles one item; what refuses it becomes a warning and the item undefined. */
export type Attempt = <T>(what: string, work: () => T) => T | undefined;

export function attemptInto(warnings: string[]): Attempt {
  return (what, work) => {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      warnings.push(`${what}: ${error.message}`);
      return undefined;
    }
  };
}
