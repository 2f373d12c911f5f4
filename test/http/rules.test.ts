// Rules have codes: what a real refusal says of a field can be said in another language.
import { describe, expect, test } from "vitest";
import type { z } from "zod";
import { checkPassword, Username } from "../../src/access/passwords.ts";
import { NodeCreate } from "../../src/fleet/node.schema.ts";
import { Refusal, validationRefusal } from "../../src/http/index.ts";
import { SETTINGS } from "../../src/system/settings/catalogue.ts";

const NODE = { name: "n", address: "192.0.2.1", port: 1 };

function issuesOf(schema: z.ZodType, value: unknown): unknown {
  const { error } = schema.safeParse(value);
  return error && validationRefusal(error).detail.issues?.map(({ path, code, values }) => [path, code, values]);
}

function thrown(work: () => void): unknown {
  try {
    work();
  } catch (error) {
    if (error instanceof Refusal) return error.detail.issues?.map(({ code, values }) => [code, values]);
    throw error;
  }
  return undefined;
}

// rule http.error.8
describe("the code of a broken rule", () => {
  test.each([
    [{ ...NODE, name: undefined }, ["name", "required", ["string"]]],
    [{ ...NODE, name: "" }, ["name", "empty", undefined]],
    [{ ...NODE, name: "x".repeat(200) }, ["name", "too_long", [128]]],
    [{ ...NODE, name: "a\nb" }, ["name", "control_characters", undefined]],
    [{ ...NODE, name: "a\u009b2J" }, ["name", "control_characters", undefined]],
    [{ ...NODE, name: "a\u2028b" }, ["name", "control_characters", undefined]],
    [{ ...NODE, name: "cod.\u202egnp.exe" }, ["name", "direction_characters", undefined]],
    [{ ...NODE, remark: "\u2067turned\u2069" }, ["remark", "direction_characters", undefined]],
    [{ ...NODE, address: "a b" }, ["address", "host", undefined]],
    [{ ...NODE, port: 0 }, ["port", "too_small", [1]]],
    [{ ...NODE, port: 70_000 }, ["port", "too_large", [65_535]]],
    [{ ...NODE, port: "1" }, ["port", "type", ["number"]]],
    [{ ...NODE, limitPeriod: "daily" }, ["limitPeriod", "choice", ["", "weekly", "monthly", "yearly"]]],
    [{ ...NODE, linkAddress: "|" }, ["linkAddress", "client_addresses", undefined]],
  ])("of a node: %o", (body, issue) => {
    expect(issuesOf(NodeCreate, body)).toEqual([issue]);
  });

  test.each([
    ["web_domain", "a b", "host", undefined],
    ["web_listen_port", "0", "between", [1, 65_535]],
    ["web_basepath", "/a/", "base_path", undefined],
    ["web_basepath", "/..", "dot_segments", undefined],
    ["web_tls_mode", "x", "choice", ["none", "self_signed", "files"]],
    ["timezone", "Moon", "time_zone", undefined],
    ["update_url", "ftp://x", "http_url", undefined],
    ["web_listen_ip", "x", "ip_address", undefined],
    ["backup_dir", "x", "absolute_path", undefined],
  ])("of a setting: %s = %s", (key, value, code, values) => {
    const check = SETTINGS[key]?.check;
    expect(check && issuesOf(check, value)).toEqual([["body", code, values]]);
  });

  test("of names and passwords", () => {
    expect(issuesOf(Username, "a b")).toEqual([["body", "username", undefined]]);
    expect(thrown(() => checkPassword("short", "anna"))).toEqual([["length", [8, 256]]]);
    expect(thrown(() => checkPassword("Anna-Anna", "anna-anna"))).toEqual([["password_is_username", undefined]]);
  });
});
