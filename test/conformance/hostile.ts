// Values that break careless code: what a fuzzer puts in the place of what a schema asks for.
import type { Chance } from "../simulation/chance.ts";

export const HOSTILE_NUMBERS: readonly number[] = [
  -1,
  -0,
  0,
  1,
  1.5,
  0.1,
  255,
  256,
  65_535,
  65_536,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 32,
  2 ** 53 - 1,
  2 ** 53,
  -(2 ** 53),
  2 ** 63,
  1e21,
  1e308,
  5e-324,
];

export const HOSTILE_TEXTS: readonly string[] = [
  "",
  " ",
  "a",
  "0",
  "-1",
  "1e3",
  "0x10",
  "١٢",
  "NaN",
  "null",
  "undefined",
  "true",
  "[object Object]",
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "\u0000",
  "a\u0000b",
  "\ud800",
  "\udc00x",
  "\r\nX-Injected: yes",
  "a\tb\u0007",
  "\u202eright to left",
  "İstanbul ß ﬀ",
  "e\u0301 é",
  "😀👩‍👩‍👧‍👦",
  "\uFEFFbom",
  "%",
  "_",
  "%25_\\",
  "' or 1=1 --",
  '"; drop table users; --',
  "$1 $2 ?",
  "../../../etc/passwd",
  "<script>alert(1)</script>",
  "${7*7}{{7*7}}",
  "=cmd|' /C calc'!A0",
  "http://[::1",
  "javascript:alert(1)",
  "x".repeat(255),
  "x".repeat(256),
  "x".repeat(1025),
  "é".repeat(5000),
  "x".repeat(70_000),
];

/** Names of members that mean something to JavaScript, or to nobody. */
export const HOSTILE_NAMES: readonly string[] = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "valueOf",
  "then",
  "length",
  "id",
  "updatedAt",
  "",
  "a.b",
  "0",
  "ключ",
  "\u0000",
  "\ud800",
];

/** An object with own members, `__proto__` included. */
export function objectOf(members: readonly (readonly [string, unknown])[]): object {
  return Object.fromEntries(members);
}

function nested(depth: number, list: boolean): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = list ? [value] : { a: value };
  return value;
}

/** Anything at all in place of a value. */
export function hostileValue(chance: Chance): unknown {
  switch (chance.whole(0, 9)) {
    case 0:
    case 1:
      return chance.pick(HOSTILE_NUMBERS);
    case 2:
    case 3:
    case 4:
      return chance.pick(HOSTILE_TEXTS);
    case 5:
      return chance.pick([null, true, false]);
    case 6:
      return chance.pick([[], [[]], [null], [1, "a", {}], Array.from({ length: 2000 }, (_, n) => n)]);
    case 7:
      return objectOf([[chance.pick(HOSTILE_NAMES), chance.pick(HOSTILE_TEXTS)]]);
    case 8:
      return nested(chance.pick([3, 30, 63, 64, 200]), chance.happens(0.5));
    default:
      return {};
  }
}

/** Bodies that are no JSON object of the route's, as bytes. */
export const HOSTILE_BODIES: readonly (string | Uint8Array)[] = [
  "",
  " ",
  "{",
  "}",
  "nul",
  "null",
  "true",
  "0",
  "-",
  '"text"',
  "[]",
  "[{}]",
  "{}",
  '{"a":1,}',
  "{'a':1}",
  '{"a":NaN}',
  '{"a":1e999}',
  '{"name":"first","name":"second"}',
  '{"__proto__":{"admin":true}}',
  '{"constructor":{"prototype":{"admin":true}}}',
  '{"a":"\\ud800"}',
  '{"a":"\\u0000"}',
  "\uFEFF{}",
  "{}{}",
  `${"[".repeat(10_000)}${"]".repeat(10_000)}`,
  `${'{"a":'.repeat(5000)}1${"}".repeat(5000)}`,
  new Uint8Array([0x22, 0xff, 0x22]),
  new Uint8Array([0x7b, 0x22, 0xc0, 0x80, 0x22, 0x3a, 0x31, 0x7d]),
];

export const CONTENT_TYPES: readonly string[] = [
  "text/plain",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "application/xml",
  "application/json; charset=utf-16",
  "application/json;",
  "application/jsonx",
  "application/problem+json",
  "APPLICATION/JSON",
  "json",
  "*/*",
  "",
];
