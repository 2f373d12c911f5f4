// What a setting's value may be: checks of text that bring it to its stored form. Each is a zod schema of one string.
import { isIP } from "node:net";
import { isAbsolute } from "node:path";
import { z } from "zod";
import { line, matching, orEmpty, paragraphs, rule, type Rule, ruleSaying } from "../http/index.ts";
import { AddressError, parseAddressList } from "../lib/addresses.ts";
import { readListenPlace } from "../lib/listen-place.ts";
import { isHost, readBase } from "../lib/public-address.ts";
import { isTimeZone } from "../lib/zone.ts";
import type { ValueCheck } from "./settings.ts";

/** Forms that a value has, for whoever asks a person for one. */
export const SETTING_TYPES = [
  "text",
  "lines",
  "number",
  "flag",
  "choice",
  "address",
  "addresses",
  "host",
  "domains",
  "url",
  "path",
  "zone",
  "days",
] as const;
export type SettingType = (typeof SETTING_TYPES)[number];

/** What a value may be, as far as a list can say it. */
export interface Takes {
  readonly type: SettingType;
  /** All values, where they are few. */
  readonly values: readonly string[];
}

const TAKES = z.registry<Takes>();

/** A check that says which form its values have. */
export function taking(type: SettingType, check: ValueCheck, values: readonly string[] = []): ValueCheck {
  return check.register(TAKES, { type, values });
}

export function takesOf(check: ValueCheck): Takes {
  return TAKES.get(check) ?? { type: "text", values: [] };
}

/** Plain text on one line. */
export const text = (max = 1024): ValueCheck => line(max);

/** Text that people read, of several lines. */
export const note = (max: number): ValueCheck => taking("lines", paragraphs(max));

export const block = (max: number): ValueCheck =>
  taking(
    "lines",
    z
      .string()
      .max(max)
      .refine((value) => !value.includes("\u0000"), rule("unstorable_text")),
  );

/** Empty, or JSON of a shape; the first part that does not fit is named. */
export const json = (schema: z.ZodType, max: number): ValueCheck =>
  taking(
    "lines",
    z
      .string()
      .max(max)
      .superRefine((value, context) => {
        const broken = value === "" ? undefined : brokenJson(value, schema);
        if (broken) context.addIssue({ code: "custom", ...broken });
      }),
  );

function brokenJson(written: string, schema: z.ZodType): Rule | undefined {
  let value: unknown;
  try {
    value = JSON.parse(written);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return ruleSaying("is not JSON", "unfit");
  }
  const issue = schema.safeParse(value).error?.issues[0];
  return issue && ruleSaying(`${issue.path.join(".") || "the whole"} is not valid: ${issue.message}`, "unfit");
}

/** A whole decimal number without sign between two bounds; `empty`: the empty text too. */
export function number(low: number, high: number, empty: "empty" | "filled" = "filled"): ValueCheck {
  const check = z.string().refine(
    (value) => {
      if (value === "") return empty === "empty";
      return /^\d{1,16}$/.test(value) && Number(value) >= low && Number(value) <= high;
    },
    empty === "empty" ? orEmpty(rule("between", low, high)) : rule("between", low, high),
  );
  return taking("number", check);
}

export const flag: ValueCheck = taking("flag", z.enum(["true", "false"]), ["true", "false"]);
export const oneOf = (...values: string[]): ValueCheck => taking("choice", z.enum(values), values);

export const ipLiteral: ValueCheck = taking(
  "address",
  z.string().refine((value) => value === "" || isIP(value) !== 0, orEmpty(rule("ip_address"))),
);

/** Intl also knows bare offsets such as `+03:30`, which are no names. */
export const timeZone: ValueCheck = taking(
  "zone",
  z
    .string()
    .refine((value) => value === "" || (/^[A-Za-z]/.test(value) && isTimeZone(value)), orEmpty(rule("time_zone"))),
);

export const httpUrl: ValueCheck = taking(
  "url",
  z
    .string()
    .max(2048)
    .refine(
      // Parsers leave out tabs and line breaks, and what is shown is not what is meant.
      (value) => value === "" || (URL.canParse(value) && /^https?:\/\/[^/\s]\S*$/i.test(value)),
      orEmpty(rule("http_url")),
    ),
);

/** Where something is reached, as a browser would be told: links are made by adding to it. */
export const publicUrl: ValueCheck = taking(
  "url",
  z
    .string()
    .max(2048)
    .refine(
      (value) => value === "" || readBase(value) !== undefined,
      orEmpty(ruleSaying("must be an absolute http(s) URL without user, query and fragment", "http_url")),
    ),
);

export const absolutePath: ValueCheck = taking(
  "path",
  z
    .string()
    .max(4096)
    .refine(
      (value) => value === "" || (isAbsolute(value) && !value.includes("\u0000")),
      orEmpty(rule("absolute_path")),
    ),
);

export const anyPath: ValueCheck = taking(
  "path",
  z
    .string()
    .max(4096)
    .refine((value) => !value.includes("\u0000"), rule("unstorable_text")),
);

/** Empty, or `/segment[/segment…]` without a slash at the end. */
export const basePath: ValueCheck = z
  .string()
  .max(256)
  .check(matching(/^(\/[A-Za-z0-9._~-]+)*$/, rule("base_path")))
  .refine((value) => !value.split("/").some((segment) => /^\.{1,2}$/.test(segment)), rule("dot_segments"));

export const addressList: ValueCheck = taking(
  "addresses",
  z.string().superRefine((value, context) => {
    try {
      parseAddressList(value);
    } catch (error) {
      if (!(error instanceof AddressError)) throw error;
      context.addIssue({ code: "custom", ...ruleSaying(error.message, "address_range", error.entry) });
    }
  }),
);

export const host: ValueCheck = taking(
  "host",
  z.string().refine((value) => value === "" || isHost(value), orEmpty(rule("host"))),
);

function domainFault(name: string): Rule | undefined {
  const fault = (sentence: string) => ruleSaying(sentence, "domain", name);
  if (name === "") return ruleSaying("an entry is empty", "empty");
  if (/\s/.test(name)) return fault(`"${name}" contains white space`);
  if (name.includes("/")) return fault(`"${name}" is not a domain but a URL`);
  const wildcard = name.startsWith("*.");
  const rest = wildcard ? name.slice(2) : name;
  if (rest.includes("*")) return fault(`"${name}": a wildcard is written *.<domain>`);
  if (!isHost(rest) || (wildcard && (isIP(rest) !== 0 || !rest.includes("."))))
    return fault(`"${name}" is not a domain`);
  return undefined;
}

/** Up to eight domains separated by commas (rule settings.value.3); stored trimmed and in lower case. */
export const domainList: ValueCheck = taking(
  "domains",
  z.string().transform((value, context) => {
    if (value.trim() === "") return "";
    const names = value.split(",").map((name) => name.trim().toLowerCase());
    const faults = names.map(domainFault).filter((fault) => fault !== undefined);
    if (names.length > 8) faults.push(ruleSaying("at most 8 domains", "too_many", 8));
    if (new Set(names).size < names.length) faults.push(ruleSaying("a domain is repeated", "repeated"));
    for (const fault of faults) context.addIssue({ code: "custom", ...fault });
    return names.join(",");
  }),
);

/** Up to eight `host:port` separated by commas (rule settings.listen.1); stored trimmed and in lower case. */
export const placeList: ValueCheck = z.string().transform((value, context) => {
  if (value.trim() === "") return "";
  const entries = value.split(",").map((entry) => entry.trim().toLowerCase());
  const faults = entries.filter((entry) => !isPlace(entry)).map((entry) => rule("listen_place", entry));
  if (entries.length > 8) faults.push(rule("too_many", 8));
  if (new Set(entries).size < entries.length) faults.push(rule("repeated"));
  for (const fault of faults) context.addIssue({ code: "custom", ...fault });
  return entries.join(",");
});

function isPlace(entry: string): boolean {
  const place = readListenPlace(entry);
  return place !== undefined && place.port > 0 && isHost(place.host);
}

/** Positive day counts separated by commas, `0` alone, or empty. */
export const dayList: ValueCheck = taking(
  "days",
  z.string().check(matching(/^(0|[1-9]\d{0,4}(\s*,\s*[1-9]\d{0,4})*)?$/, rule("days"))),
);

export const hexDigest: ValueCheck = z.string().check(matching(/^([0-9a-f]{64})?$/i, orEmpty(rule("sha256"))));
