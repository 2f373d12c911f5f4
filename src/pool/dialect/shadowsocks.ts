// Shadowsocks methods that serve many users, and their key lengths.
import { rule } from "../../http/index.ts";
import type { Issue } from "./issue.ts";

/** Bytes of the key of each 2022 method. */
const KEY_BYTES: Readonly<Record<string, 16 | 32>> = { "2022-blake3-aes-128-gcm": 16, "2022-blake3-aes-256-gcm": 32 };

const LEGACY = ["aes-128-gcm", "aes-192-gcm", "aes-256-gcm", "chacha20-ietf-poly1305", "xchacha20-ietf-poly1305"];
/** Methods under which users have passwords of their own. */
export const SHADOWSOCKS_METHODS = [...Object.keys(KEY_BYTES), ...LEGACY];

const SINGLE_USER = ["2022-blake3-chacha20-poly1305", "none"];

/** Key length of a Shadowsocks 2022 method in bytes; undefined for the older methods, whose passwords are free text. */
export function shadowsocksKeyBytes(method: string): 16 | 32 | undefined {
  return Object.hasOwn(KEY_BYTES, method) ? KEY_BYTES[method] : undefined;
}

/**
 * What is wrong with method and server key. Methods that know one user only are refused: nobody could be switched off
 * or counted.
 */
export function shadowsocksIssues(method: string, password: string): Issue[] {
  if (SINGLE_USER.includes(method)) return [{ path: "method", ...rule("single_user", method) }];
  const bytes = shadowsocksKeyBytes(method);
  if (bytes === undefined) {
    if (LEGACY.includes(method)) return [];
    return [{ path: "method", ...rule("choice", ...Object.keys(KEY_BYTES), ...LEGACY) }];
  }
  const key = /^[A-Za-z0-9+/]+={0,2}$/.test(password) ? Buffer.from(password, "base64") : Buffer.alloc(0);
  if (key.length === bytes && key.toString("base64") === password) return [];
  return [{ path: "password", ...rule("server_key", method, bytes) }];
}
