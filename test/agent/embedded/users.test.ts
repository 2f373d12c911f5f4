// Users that the embedded engine finds by what a client sends, on which inbound.
import { expect, test } from "vitest";
import { trojanKey, UserDirectory, UsersOnInbound, uuidKey } from "../../../src/agent/engines/embedded/users.ts";
import { planUser } from "./harness.ts";

const OTHER = "11111111-1111-4111-8111-111111111111";
const keyOf = (uuid: string) => uuidKey(uuid) ?? "";

// rule users.own.2
test("credentials for one protocol are known there alone, and the common ones elsewhere", () => {
  const directory = new UserDirectory(() => 0);
  const by = { vless: { uuid: OTHER }, trojan: { password: "own" }, socks: { password: "of socks" } };
  const user = planUser(1, { by });
  directory.put(user);
  directory.put(planUser(2));
  const on = (type: string) => new UsersOnInbound(directory, 1, type);
  expect(on("vless").byUuidKey(keyOf(OTHER))?.id).toBe(1);
  expect(on("vless").byUuidKey(keyOf(user.uuid))).toBeUndefined();
  expect(on("vmess").byUuidKey(keyOf(user.uuid))?.id).toBe(1);
  expect(on("vmess").byUuidKey(keyOf(OTHER))).toBeUndefined();
  expect(on("trojan").byTrojanKey(trojanKey("own"))?.id).toBe(1);
  expect(on("trojan").byTrojanKey(trojanKey(user.password))).toBeUndefined();
  expect(on("mixed").byPassword(user.uuid, "of socks")?.id).toBe(1);
  expect(on("mixed").byPassword(user.uuid, user.password)).toBeUndefined();
  expect(on("http").byPassword(user.uuid, user.password)?.id).toBe(1);
  // Taken back, and dropped, nothing of it is left.
  expect(directory.put(planUser(1)).changed).toBe(true);
  expect(on("vless").byUuidKey(keyOf(OTHER))).toBeUndefined();
  expect(on("trojan").byTrojanKey(trojanKey("own"))).toBeUndefined();
  expect(on("vless").byUuidKey(keyOf(user.uuid))?.id).toBe(1);
  directory.put(user);
  directory.drop(1);
  expect(on("vless").byUuidKey(keyOf(OTHER))).toBeUndefined();
  expect(on("vless").byUuidKey(keyOf(planUser(2).uuid))?.id).toBe(2);
});
