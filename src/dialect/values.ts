// Values that count as much as their keys: hosts that are no sockets, addresses that are no files, sites that are
// public.
import { AddressError, parseAddressList } from "../lib/addresses.ts";
import { isIP } from "node:net";
import type { Scalar, Shape } from "./shape.ts";

/**
 * A name or address. Engines take a text with a slash or an `@` for a socket of the host, and a zone for one of its
 * interfaces.
 */
function isHost(value: Scalar): boolean {
  if (typeof value !== "string") return false;
  const plain = value.replace(/^\[(.*)\]$/, "$1");
  return /^[\p{L}\p{N}_.-]*$/u.test(value) || (isIP(plain) !== 0 && !plain.includes("%"));
}

/** An address or range. For `ext:file:tag` instead of an address, Xray reads a file. */
function isRange(value: Scalar): boolean {
  if (typeof value !== "string") return false;
  try {
    return parseAddressList(value).entries.length <= 1;
  } catch (error) {
    if (error instanceof AddressError) return false;
    throw error;
  }
}

function urlOf(value: Scalar, schemes: readonly string[]): URL | undefined {
  const url = typeof value === "string" ? URL.parse(value) : null;
  return url && schemes.includes(url.protocol) ? url : undefined;
}

function site(schemes: readonly string[]): Shape {
  return {
    kind: "value",
    allows: (value) => value === "" || urlOf(value, schemes) !== undefined,
    target: (value) => urlOf(value, schemes)?.hostname,
  };
}

/** A host that others than the node's engine connect to, or that the operator's traffic is sent through. */
export const host: Shape = { kind: "value", allows: isHost };
/** A host that the engine connects to without a user's request: it must be public. Empty would be the node itself. */
export const target: Shape = { kind: "value", allows: isHost, target: String };
/** The same where empty means none. */
export const override: Shape = {
  kind: "value",
  allows: isHost,
  target: (value) => (value === "" ? undefined : String(value)),
};
export const address: Shape = {
  kind: "value",
  allows: (value) => typeof value === "string" && (value === "" || (isIP(value) !== 0 && isHost(value))),
};
export const range: Shape = { kind: "value", allows: isRange };
/** What an engine fetches. */
export const fetched = site(["http:", "https:"]);
/** What an engine shows to strangers as its own. */
export const shown = site(["https:"]);
/** Only these words. */
export const oneOf = (...words: readonly string[]): Shape => ({
  kind: "value",
  allows: (value) => words.includes(String(value)),
});

/** Addresses that a resolver answers with: names would reach them past every other check. */
export const answered: Shape = {
  kind: "value",
  allows: (value) => typeof value === "string" && isIP(value) !== 0 && !value.includes("%"),
  target: String,
};
/** A DNS record in words; its address counts as a target. */
export const record: Shape = {
  kind: "value",
  target: (value) =>
    String(value)
      .split(/\s+/)
      .find((word) => isIP(word) !== 0),
};

/**
 * Options of the two Shadowsocks plugins that are part of sing-box, less the one that names a file (`cert`). A
 * backslash could spell it another way.
 */
const PLUGIN_OPTIONS = ["obfs", "obfs-host", "tls", "host", "path", "mode", "mux", "certRaw"];
export const plugin = oneOf("", "obfs-local", "v2ray-plugin");
export const pluginOptions: Shape = {
  kind: "value",
  allows: (value) =>
    typeof value === "string" &&
    !value.includes("\\") &&
    value.split(";").every((option) => option === "" || PLUGIN_OPTIONS.includes(option.split("=")[0] ?? "")),
};

const SECRET_HEADERS = ["authorization", "proxy-authorization", "cookie"];
/** HTTP headers: a text or a list for each name. */
export const headers: Shape = {
  kind: "named",
  of: { kind: "value" },
  secret: (name) => SECRET_HEADERS.includes(name.toLowerCase()),
};
