// What a setting's value may be: checks of text that bring it to its stored form. Each is a zod schema of one string.
import { isIP } from "node:net";
import { isAbsolute } from "node:path";
import { z } from "zod";
import { line, paragraphs } from "../../http/index.ts";
import { AddressError, parseAddressList } from "../../lib/addresses.ts";
import { isTimeZone } from "../../lib/zone.ts";
import { readClientKey, type ClientApp } from "./client-keys.ts";

export type ValueCheck = z.ZodType<string, string>;

/** Plain text on one line. */
export const text = (max = 1024): ValueCheck => line(max);

/** Text that people read, of several lines. */
export const note = (max: number): ValueCheck => paragraphs(max);

export const block = (max: number): ValueCheck =>
  z
    .string()
    .max(max)
    .refine((value) => !value.includes("\u0000"), "must not contain NUL characters");

/** A whole decimal number without sign between two bounds; `empty`: the empty text too. */
export function number(low: number, high: number, empty: "empty" | "filled" = "filled"): ValueCheck {
  return z.string().refine(
    (value) => {
      if (value === "") return empty === "empty";
      return /^\d{1,16}$/.test(value) && Number(value) >= low && Number(value) <= high;
    },
    `must be a whole number from ${low} to ${high}${empty === "empty" ? ", or empty" : ""}`,
  );
}

export const flag: ValueCheck = z.enum(["true", "false"]);
export const oneOf = (...values: string[]): ValueCheck => z.enum(values);

export const ipLiteral: ValueCheck = z.string().refine((value) => value === "" || isIP(value) !== 0, "must be an IP address, or empty");

/** Intl also knows bare offsets such as `+03:30`, which are no names. */
export const timeZone: ValueCheck = z
  .string()
  .refine((value) => value === "" || (/^[A-Za-z]/.test(value) && isTimeZone(value)), "must be an IANA zone name, or empty");

export const httpUrl: ValueCheck = z
  .string()
  .max(2048)
  .refine((value) => value === "" || (URL.canParse(value) && /^https?:\/\/[^/]/i.test(value)), "must be an absolute http(s) URL, or empty");

export const absolutePath: ValueCheck = z
  .string()
  .max(4096)
  .refine((value) => value === "" || (isAbsolute(value) && !value.includes("\u0000")), "must be an absolute path, or empty");

export const anyPath: ValueCheck = z
  .string()
  .max(4096)
  .refine((value) => !value.includes("\u0000"), "must not contain NUL characters");

/** Empty, or `/segment[/segment…]` without a slash at the end. */
export const basePath: ValueCheck = z
  .string()
  .max(256)
  .regex(/^(\/[A-Za-z0-9._~-]+)*$/, "must be empty or /segment[/segment…] without a slash at the end")
  .refine((value) => !value.split("/").some((segment) => /^\.{1,2}$/.test(segment)), "must not contain the segments . and ..");

export const addressList: ValueCheck = z.string().superRefine((value, context) => {
  try {
    parseAddressList(value);
  } catch (error) {
    if (!(error instanceof AddressError)) throw error;
    context.addIssue({ code: "custom", message: error.message });
  }
});

const LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/i;

/** A host name of at least one label, or an IP literal. */
function isHost(name: string): boolean {
  return isIP(name) !== 0 || (name.length <= 253 && name.split(".").every((label) => LABEL.test(label)));
}

export const host: ValueCheck = z
  .string()
  .refine((value) => value === "" || isHost(value), "must be a host name or an IP address, or empty");

function domainFault(name: string): string | undefined {
  if (name === "") return "an entry is empty";
  if (/\s/.test(name)) return `"${name}" contains white space`;
  if (name.includes("/")) return `"${name}" is not a domain but a URL`;
  const wildcard = name.startsWith("*.");
  const rest = wildcard ? name.slice(2) : name;
  if (rest.includes("*")) return `"${name}": a wildcard is written *.<domain>`;
  if (!isHost(rest) || (wildcard && (isIP(rest) !== 0 || !rest.includes(".")))) return `"${name}" is not a domain`;
  return undefined;
}

/** Up to eight domains separated by commas (rule settings.value.3); stored trimmed and in lower case. */
export const domainList: ValueCheck = z.string().transform((value, context) => {
  if (value.trim() === "") return "";
  const names = value.split(",").map((name) => name.trim().toLowerCase());
  const faults = names.map(domainFault).filter((fault) => fault !== undefined);
  if (names.length > 8) faults.push("at most 8 domains");
  if (new Set(names).size < names.length) faults.push("a domain is repeated");
  for (const message of faults) context.addIssue({ code: "custom", message });
  return names.join(",");
});

/** Positive day counts separated by commas, `0` alone, or empty. */
export const dayList: ValueCheck = z
  .string()
  .regex(/^(0|[1-9]\d{0,4}(\s*,\s*[1-9]\d{0,4})*)?$/, "must be day counts separated by commas, 0 or empty");

/** A client app's key, in the form in which it is stored; or empty. */
export const clientKey = (app: ClientApp): ValueCheck =>
  z
    .string()
    .max(16_384)
    .transform((value, context) => {
      if (value.trim() === "") return "";
      const key = readClientKey(app, value);
      if (key) return key.text;
      context.addIssue(app === "happ" ? "must be a PEM of an RSA public key, or empty" : "must be 32 bytes in base64, or empty");
      return z.NEVER;
    });

export const hexDigest: ValueCheck = z.string().regex(/^([0-9a-f]{64})?$/i, "must be a SHA-256 in hex, or empty");
