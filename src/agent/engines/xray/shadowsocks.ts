// Shadowsocks methods as Xray has them, and what their keys must look like.
import { SHADOWSOCKS_CIPHERS } from "../process/api/grpc-messages.ts";
import { xray } from "./words.ts";
import { Refusal } from "../../notices.ts";
import { reason } from "../../../protocol/notices/index.ts";

const KEY_BYTES: Readonly<Record<string, 16 | 32>> = { "2022-blake3-aes-128-gcm": 16, "2022-blake3-aes-256-gcm": 32 };

/** The method as Xray writes it. Throws a Refusal for one that it cannot serve, or a server key that does not fit. */
export function shadowsocksMethod(method: string, password: string): string {
  if (method === "2022-blake3-chacha20-poly1305") throw new Refusal(reason("no_users", `shadowsocks method ${method}`));
  const bytes = keyBytesOf(method);
  if (bytes !== undefined) {
    if (!isKey(password, bytes)) throw new Refusal(reason("not_key", "password", method, bytes));
    return method;
  }
  const plain = method.replace("-ietf", "");
  if (!Object.hasOwn(SHADOWSOCKS_CIPHERS, plain))
    throw xray.unserved(`shadowsocks method ${method === "" ? "(none given)" : method}`, "singBox");
  return plain;
}

/** Key length of a 2022 method; undefined for the older ones, whose passwords are free text. */
export function keyBytesOf(method: string): 16 | 32 | undefined {
  return Object.hasOwn(KEY_BYTES, method) ? KEY_BYTES[method] : undefined;
}

/** Base64 of so many bytes, whose last digit before the padding has unused bits that must be nothing. */
const KEYS = { 16: /^[A-Za-z0-9+/]{21}[AQgw]==$/, 32: /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/ } as const;

export function isKey(text: string, bytes: 16 | 32): boolean {
  return KEYS[bytes].test(text);
}
