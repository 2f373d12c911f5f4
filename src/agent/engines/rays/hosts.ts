// Names and addresses as v2ray and Xray may be given them. Both read more into such a text than an address: `/path` and
// `@name` are sockets of the host, `env:NAME` its environment, `ext:file:tag` and `geoip:code` files, an address with a
// zone an interface. So nothing but a plain name or address is ever handed on.
import { isIP } from "node:net";
import { z } from "zod";

const NAME =
  /^(?=.{1,253}$)[\p{L}\p{N}_](?:[\p{L}\p{N}_-]*[\p{L}\p{N}_])?(?:\.[\p{L}\p{N}_](?:[\p{L}\p{N}_-]*[\p{L}\p{N}_])?)*\.?$/u;

function isPlainAddress(text: string): boolean {
  return isIP(text) !== 0 && !text.includes("%");
}

export const Address = z.string().refine(isPlainAddress, "must be an IP address");

export const Name = z.string().regex(NAME, "must be a name");

export const Host = z
  .string()
  .refine((text) => isPlainAddress(text) || NAME.test(text), "must be a name or an IP address");

/** Where to listen: the empty text is every address. */
export const ListenAddress = z.union([z.literal(""), Address]);

/** An address or a range of them. */
export const Range = z.string().refine((text) => {
  const [address = "", bits, ...more] = text.split("/");
  return isPlainAddress(address) && more.length === 0 && (bits === undefined || /^\d{1,3}$/.test(bits));
}, "must be an IP address or a range such as 10.0.0.0/8");
