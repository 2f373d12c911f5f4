// The head of Shadowrocket's list.
import { expect, test } from "vitest";
import {
  isShadowrocket,
  withShadowrocketHead,
  type ShadowrocketHead,
} from "../../../src/subscriptions/documents/shadowrocket.ts";

const head: ShadowrocketHead = { title: "Prov", used: "1 GiB", total: "∞", expires: undefined, announce: "" };
const list = Buffer.from("vless://a\nvless://b\n").toString("base64");
const headOf = (of: Partial<ShadowrocketHead>) =>
  Buffer.from(withShadowrocketHead(list, { ...head, ...of }), "base64").toString("utf8");

// rule subscriptions.header.5
test("two lines before the links, which stay as they are", () => {
  expect(headOf({})).toBe("STATUS=1 GiB / ∞\r\nREMARKS=Prov\r\nvless://a\nvless://b\n");
  expect(headOf({ title: "", expires: "2026-12-01", announce: "Hi" })).toBe(
    "STATUS=1 GiB / ∞ · 2026-12-01 · Hi\r\nvless://a\nvless://b\n",
  );
});

test("no text of a person's makes a line of its own", () => {
  const hostile = "x\r\nvless://evil\n\u2028REMARKS=other\u0000\ud800";
  const lines = headOf({ title: hostile, announce: hostile }).split(/[\r\n\u2028]+/);
  expect(lines.map((line) => line.slice(0, 8))).toEqual(["STATUS=1", "REMARKS=", "vless://", "vless://", ""]);
});

test("it is known by what it calls itself", () => {
  expect(["Shadowrocket/2070 CFNetwork", "shadowrocket/1"].map(isShadowrocket)).toEqual([true, true]);
  expect(["", "Happ/2", "My Shadowrocket/1", "Shadowrocketish"].map(isShadowrocket)).toEqual([
    false,
    false,
    false,
    false,
  ]);
});
