// Why an item of the plan is not served by sing-box.
import { z } from "zod";
import { type Collection, forbiddenPaths } from "../../../dialect/index.ts";
import { Refusal } from "../../notices.ts";
import { type Reason, reason } from "../../../protocol/notices/index.ts";

export function unserved(what: string, by: "xray" | "" = ""): Refusal {
  return new Refusal(reason("unserved", "sing-box", what, by));
}

/** `value` by `schema`; a Refusal naming the first field that is wrong. */
export function parsed<T>(schema: z.ZodType<T>, value: unknown, under = ""): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const at = [under, ...(issue?.path ?? [])].filter((part) => part !== "").join(".");
  throw new Refusal(reason("invalid", at, issue?.message ?? "invalid"));
}

/** What became of a key, for its path. */
export type Replaced = Readonly<Record<string, (path: string) => Reason>>;

/** A block of the dialect: any JSON object. */
export const Block = z.record(z.string(), z.unknown());
export type Block = z.infer<typeof Block>;

/**
 * The engine refuses a whole configuration for one unknown key: so each is found here and named. `replaced`: keys of
 * older dialects and their replacements. `under`: the path of the item in `fragment`; reported paths leave it out.
 */
export function onlyAllowed(
  collection: Collection,
  type: string,
  fragment: Block,
  replaced: Replaced = {},
  under = "",
): void {
  const [found] = forbiddenPaths(collection, type, fragment);
  if (found === undefined) return;
  const path = found.startsWith(under) ? found.slice(under.length) : found;
  const instead = Object.hasOwn(replaced, path) ? replaced[path] : undefined;
  throw instead === undefined ? unserved(`\`${path}\``) : new Refusal(instead(path));
}

/** Texts of a field that may be one text or a list. */
export function textsOf(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).filter((item) => typeof item === "string");
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** sing-box accepts any text as a uuid and hashes invalid ones, so client and server would not match. */
export function isUuid(text: unknown): text is string {
  return typeof text === "string" && UUID.test(text);
}
