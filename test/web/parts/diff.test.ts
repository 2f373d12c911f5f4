// What differs between two documents: nested fields, lists of things with names, secrets by their names.
import { expect, test } from "vitest";
import { differences } from "../../../src/web/parts/diff/differences.ts";
import { isSecretField } from "../../../src/web/parts/diff/secret-fields.ts";

const told = (before: unknown, after: unknown) =>
  differences(before, after, ["updatedAt"]).map(({ path, ...sides }) => [path.join("."), sides.before, sides.after]);

test("only what changed is named, down to its own field", () => {
  const before = { tag: "in", config: { tls: { enabled: false, server_name: "a" }, listen_port: 1 }, updatedAt: 1 };
  const after = { updatedAt: 2, config: { listen_port: 2, tls: { server_name: "a", enabled: true } }, tag: "in" };
  expect(told(before, after)).toEqual([
    ["config.listen_port", 1, 2],
    ["config.tls.enabled", false, true],
  ]);
});

test("a block that came or went is told by its fields, one that became something else as a whole", () => {
  expect(told({ config: {} }, { config: { tls: { enabled: true } } })).toEqual([
    ["config.tls.enabled", undefined, true],
  ]);
  expect(told({ a: { b: 1 } }, { a: null })).toEqual([["a", { b: 1 }, null]]);
  expect(told(undefined, { a: { b: 1 }, c: [] })).toEqual([
    ["a.b", undefined, 1],
    ["c", undefined, []],
  ]);
});

test("items of a list are the same by their tag: one put in front changes no other", () => {
  const rule = (tag: string, port: number) => ({ tag, port });
  expect(told({ rules: [rule("a", 1), rule("b", 2)] }, { rules: [rule("c", 3), rule("a", 1), rule("b", 4)] })).toEqual([
    ["rules.c.tag", undefined, "c"],
    ["rules.c.port", undefined, 3],
    ["rules.b.port", 2, 4],
  ]);
  // Two of one name: their places tell them apart.
  expect(told([rule("a", 1), rule("a", 2)], [rule("a", 1), rule("a", 3)])).toEqual([["2.port", 2, 3]]);
});

test("a list of texts is one field", () => {
  expect(told({ alpn: ["h2"] }, { alpn: ["h2", "http/1.1"] })).toEqual([["alpn", ["h2"], ["h2", "http/1.1"]]]);
});

test("keys and passwords are known in either spelling and below their block, names that only look alike are not", () => {
  const paths = (text: string) => text.split(" ").map((path) => [path, isSecretField(path.split("."))]);
  const secret = "password config.tls.reality.private_key config.tls.key clientSecret authorization.0 headers.Cookie";
  expect(paths(secret.toLowerCase().replace("clientsecret", "clientSecret")).filter(([, is]) => !is)).toEqual([]);
  expect(paths("key public_key tokenId passwordChangedAt keepAlive mustChangePassword").filter(([, is]) => is)).toEqual(
    [],
  );
});
