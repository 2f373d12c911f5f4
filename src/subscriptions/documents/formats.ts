// Which format a request gets: by path, else by ?format=, else by an ordered table of rules that is data (rules
// subscriptions.format).
import { FORMATS, formatOfName, type Format } from "../../accounts/index.ts";
import { z } from "zod";
import { ruleSaying } from "../../http/index.ts";
import { isAppHeader, partsOfHeader } from "./app-headers.ts";
import { isLinkPreview } from "./link-previews.ts";

const MOST_HEADERS = 32;
const TOO_MANY = ruleSaying(`at most ${MOST_HEADERS} headers`, "too_many", MOST_HEADERS);
const NOT_READ = ruleSaying("is no header that apps read", "unfit");
const HeaderValue = z.string().regex(/^[\x20-\x7e]{0,1024}$/);
/** What apps read, by name: an app's own words, never those of browsers, caches and proxies. */
const Headers = z.record(z.string().regex(/^[a-z][a-z0-9-]{0,63}$/), HeaderValue).superRefine((headers, context) => {
  for (const name of Object.keys(headers))
    if (!isAppHeader(name)) context.addIssue({ code: "custom", path: [name], ...NOT_READ });
  if (Object.keys(headers).length > MOST_HEADERS) context.addIssue({ code: "custom", ...TOO_MANY });
});

/** One row of the table. Texts are compared without regard to case; there are no patterns, so no rule can be slow. */
export const FormatRule = z.strictObject({
  header: z.enum(["user-agent", "accept"]).describe("the header of the request that is compared"),
  operator: z
    .enum(["startsWith", "endsWith", "contains", "equals", "prefers"])
    .describe(
      "how it is compared, in whatever case; `prefers` reads `accept` and holds when no media type is preferred to the value",
    ),
  value: z.string().min(1).max(100).describe("what it is compared with"),
  minVersion: z
    .string()
    .regex(/^\d+(\.\d+){0,3}$/)
    .optional()
    .describe("with `startsWith`: the dotted version right behind the value must be at least this"),
  not: z.boolean().optional().describe("the row holds where the comparison does not; absent = false"),
  format: z.enum(FORMATS),
  enabled: z.boolean(),
  headers: Headers.optional().describe("further headers of the answer, for what only this client reads"),
});
export type FormatRule = z.infer<typeof FormatRule>;

/** Whole tables, as setting `sub_rules` holds them. */
export const FormatRules = z.array(FormatRule).max(200);

function rows(
  values: readonly string[],
  format: Format,
  operator: "startsWith" | "contains" = "startsWith",
  enabled = true,
): FormatRule[] {
  return values.map((value) => ({ header: "user-agent", operator, value, format, enabled }));
}

const MIHOMO = [
  "FlClash",
  "Flowvy",
  "Murge",
  "Mihomo",
  "prizrak-box",
  "Koala-Clash",
  "Clash",
  "Stash",
  "NekoBox",
  "NekoRay",
  "Pharos",
];
/** Says so itself, whatever the app is called. */
const AS_MIHOMO = ["Prefer ClashMeta Format"];
const SING_BOX = ["SFA", "SFI", "SFM", "SFT", "SFL", "SFW", "Karing", "HiddifyNext"];
/** After all others: apps of this family that no row names. */
const LIKE_MIHOMO = ["clash"];
/** Apps that also read Xray JSON. Off: as whole configurations their entries cannot be edited or chosen together. */
const XRAY: readonly (readonly [string, string?])[] = [
  ["Streisand"],
  ["Happ/", "1.63.1"],
  ["INCY/"],
  ["ktor-client"],
  ["V2Box"],
  ["v2rayNG/", "1.8.29"],
  ["v2rayN/", "6.40"],
  ["v2plus/"],
  ["io.github.saeeddev94.xray"],
];

/** The table that holds while an operator has set none; the first row that matches wins, and no match is `base64`. */
export const DEFAULT_RULES: readonly FormatRule[] = [
  { header: "accept", operator: "prefers", value: "text/html", format: "html", enabled: true },
  ...rows(MIHOMO, "clash"),
  ...rows(AS_MIHOMO, "clash", "contains"),
  ...rows(SING_BOX, "singbox"),
  ...rows(["sing-box", "singbox"], "singbox", "contains"),
  ...XRAY.map(([value, minVersion]): FormatRule => {
    const rule: FormatRule = { header: "user-agent", operator: "startsWith", value, format: "xray", enabled: false };
    return minVersion === undefined ? rule : { ...rule, minVersion };
  }),
  ...rows(LIKE_MIHOMO, "clash", "contains"),
];

function versionAtLeast(text: string, minimum: string): boolean {
  const found = /^\d+(\.\d+)*/.exec(text)?.[0].split(".").map(Number) ?? [];
  const wanted = minimum.split(".").map(Number);
  const differs = wanted.findIndex((part, index) => part !== (found[index] ?? 0));
  return found.length > 0 && (differs < 0 || (found[differs] ?? 0) > (wanted[differs] ?? 0));
}

/** Whether `accept` names the media type with a quality no smaller than any other it names. */
function prefers(accept: string, mediaType: string): boolean {
  const types = accept.split(",").map((item) => {
    const [name = "", ...parameters] = item.split(";").map((part) => part.trim());
    const quality = parameters.find((parameter) => parameter.startsWith("q="));
    return { name, quality: quality === undefined ? 1 : Number(quality.slice(2)) || 0 };
  });
  const own = types.find((type) => type.name === mediaType)?.quality ?? 0;
  return own > 0 && types.every((type) => type.quality <= own);
}

function matches(rule: FormatRule, headers: Readonly<Record<"user-agent" | "accept", string>>): boolean {
  return holds(rule, headers) !== (rule.not ?? false);
}

function holds(rule: FormatRule, headers: Readonly<Record<"user-agent" | "accept", string>>): boolean {
  const text = headers[rule.header].toLowerCase();
  const value = rule.value.toLowerCase();
  if (rule.operator === "equals") return text === value;
  if (rule.operator === "contains") return text.includes(value);
  if (rule.operator === "endsWith") return text.endsWith(value);
  if (rule.operator === "prefers") return prefers(text, value);
  return (
    text.startsWith(value) &&
    (rule.minVersion === undefined || versionAtLeast(text.slice(value.length), rule.minVersion))
  );
}

/** The parts of a request that decide the format; an absent part is the empty text. */
export interface FormatRequest {
  /** The last path segment; empty without one. */
  readonly path: string;
  /** `?format=`; an unknown one is ignored. */
  readonly query: string;
  readonly userAgent: string;
  readonly accept: string;
}

/** What to answer with: the format, and the row of the table that chose it. */
export interface Choice {
  readonly format: Format;
  /** Undefined: the path or the query named the format, or no row holds. */
  readonly rule: StoredRule | undefined;
  /** The program looks at links for others: it gets the page without anything of the account, whatever it asks for. */
  readonly previews?: true;
}

/**
 * The format to answer with. `available` are the formats that can be rendered; undefined means 404 (a path that names
 * none of them).
 */
export function choose(
  request: FormatRequest,
  available: ReadonlySet<Format>,
  rules: readonly StoredRule[] = DEFAULT_RULES,
): Choice | undefined {
  const named = request.path === "" ? undefined : formatOfName(request.path);
  if (request.path !== "" && (named === undefined || !available.has(named))) return undefined;
  if (isLinkPreview(request.userAgent.slice(0, 512)) && available.has("html"))
    return { format: "html", rule: undefined, previews: true };
  if (named !== undefined) return { format: named, rule: undefined };
  const asked = formatOfName(request.query);
  if (asked !== undefined && available.has(asked)) return { format: asked, rule: undefined };
  const headers = { "user-agent": request.userAgent.slice(0, 512), accept: request.accept.slice(0, 512) };
  const rule = rules.find((row) => row.enabled && available.has(row.format) && matches(row, headers));
  return { format: rule?.format ?? "base64", rule };
}

/** The format alone, see `choose`. */
export function chooseFormat(...asked: Parameters<typeof choose>): Format | undefined {
  return choose(...asked)?.format;
}

/** A row as it is stored, without the headers that an older version took and this one does not send. */
export interface StoredRule extends FormatRule {
  /** The names of those headers. */
  readonly unsent?: readonly string[];
}

/** Reads the setting once for each text. Without one, or where it cannot be read, the built-in table holds. */
export function ruleTable(): (text: string) => readonly StoredRule[] {
  let read: { readonly text: string; readonly rules: readonly StoredRule[] } | undefined;
  return (text) => {
    if (read?.text !== text) read = { text, rules: storedRules(text) ?? DEFAULT_RULES };
    return read.rules;
  };
}

/** Where the headers of a stored table lead (rule admins.point.4). */
export function partsOfRules(text: string): readonly string[] {
  const rules = storedRules(text) ?? DEFAULT_RULES;
  return rules.flatMap(({ headers = {} }) =>
    Object.entries(headers).flatMap(([name, value]) => partsOfHeader(name, value)),
  );
}

/** As `FormatRule`, with headers of any name. */
const AnyRules = z.array(FormatRule.extend({ headers: z.record(z.string(), z.string()).optional() })).max(200);

function storedRules(text: string): readonly StoredRule[] | undefined {
  if (text === "") return undefined;
  try {
    return AnyRules.safeParse(JSON.parse(text)).data?.map(sendable);
  } catch (error) {
    // Written by another version, or into the database by hand.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** A stored row with the headers that are sent; it still holds where none is left. */
function sendable(stored: FormatRule): StoredRule {
  const { headers, ...row } = stored;
  if (headers === undefined) return stored;
  const all = Object.entries(headers);
  const sent = all.filter(([name, value]) => isAppHeader(name) && HeaderValue.safeParse(value).success);
  const unsent = all.filter((entry) => !sent.includes(entry)).map(([name]) => name);
  return { ...row, headers: Object.fromEntries(sent), ...(unsent.length > 0 && { unsent }) };
}
