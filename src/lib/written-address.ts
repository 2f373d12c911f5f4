// An IP address as others write it: in the headers of proxies, in the logs of engines, by the kernel.
import { isIP } from "node:net";
import { unmapped } from "./addresses.ts";

/** `:port` at the end; what is before it must be an address by itself. */
const PORT = /:(\d{1,5})$/;

/**
 * The address in a text that holds one and nothing else: `a.b.c.d`, an IPv6 address in any spelling with or without
 * brackets and zone, either with a port (IPv6 then in brackets), in double quotes or not, with blanks around. Undefined
 * for everything else (`unknown`, a name, leading zeros, two addresses).
 *
 * One address has one text: IPv4 that is mapped into IPv6 is IPv4, IPv6 is compressed and in small letters, a zone is
 * left out, since it names an interface of whoever wrote it.
 */
export function readAddress(written: string): string | undefined {
  const text = unquoted(written.trim());
  // The common case, and the only form that needs nothing done.
  if (isIP(text) === 4) return text;
  const host = hostIn(text);
  if (host === undefined) return undefined;
  const plain = unmapped(host);
  return isIP(plain) === 4 ? plain : new URL(`http://[${plain}]`).hostname.slice(1, -1);
}

/** `readAddress`, where text that is no address stays what it is, in small letters. */
export function plainAddress(written: string | undefined): string {
  return written === undefined ? "" : (readAddress(written) ?? written.toLowerCase());
}

function unquoted(text: string): string {
  return text.length >= 2 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1).trim() : text;
}

/** The address without what may stand around it; undefined where that is none. */
function hostIn(text: string): string | undefined {
  if (isIP(text) === 6) return text;
  if (text.startsWith("[")) {
    const [, inside = "", rest = ""] = /^\[([^\]]*)\](.*)$/s.exec(text) ?? [];
    return isIP(inside) === 6 && (rest === "" || isPort(rest)) ? inside : undefined;
  }
  const before = text.replace(PORT, "");
  return isIP(before) === 4 && isPort(text.slice(before.length)) ? before : undefined;
}

function isPort(text: string): boolean {
  const [, digits = ""] = PORT.exec(text) ?? [];
  return text === `:${digits}` && digits !== "" && Number(digits) <= 65_535;
}
