// Why an item of the plan is not served by Xray or v2ray.
import { z } from "zod";
import { Refusal } from "../../notices.ts";
import { reason } from "../../../protocol/notices/index.ts";

const OTHERS = { xray: "xray", singBox: "sing-box", both: "xray,sing-box" } as const;
export type Other = keyof typeof OTHERS;

/** Speaks for one engine. */
export interface Speaker {
  readonly engine: "v2ray" | "xray";
  readonly unserved: (what: string, by?: Other) => Refusal;
  readonly unservedWith: (what: string, together: string, by?: Other) => Refusal;
  /** `value` by `schema`; a Refusal naming the first field that is wrong, or keys that the engine has nothing for. */
  readonly parsed: <T>(schema: z.ZodType<T>, value: unknown) => T;
}

export function speakerFor(engine: "v2ray" | "xray"): Speaker {
  const others = (by: Other | undefined): string => (by === undefined ? "" : OTHERS[by]);
  const unserved = (what: string, by?: Other): Refusal => new Refusal(reason("unserved", engine, what, others(by)));
  const parsed = <T>(schema: z.ZodType<T>, value: unknown): T => {
    const result = schema.safeParse(value);
    if (result.success) return result.data;
    const [issue] = result.error.issues;
    if (!issue) throw new Refusal(reason("invalid", "", "invalid"));
    const at = issue.path.join(".");
    if (issue.code === "unrecognized_keys")
      throw unserved(issue.keys.map((key) => `\`${at === "" ? key : `${at}.${key}`}\``).join(", "), "singBox");
    throw new Refusal(reason("invalid", at, issue.message));
  };
  return {
    engine,
    unserved,
    unservedWith: (what, together, by) => new Refusal(reason("unserved_with", engine, what, together, others(by))),
    parsed,
  };
}
