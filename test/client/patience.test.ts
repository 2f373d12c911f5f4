// Which failures a client repeats, and when.
import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { ApiError } from "../../src/client/api-error.ts";
import { nextOf } from "../../src/client/panel.ts";
import { PATIENCE, pause, waitBefore } from "../../src/client/patience.ts";
import { verifyWebhook } from "../../src/client/webhook.ts";

describe("what is repeated", () => {
  test.each([
    { what: "no answer", error: new ApiError(0, { code: "unreachable" }) },
    { what: "a busy panel", error: new ApiError(503, { code: "unavailable" }) },
    { what: "a proxy whose panel is away", error: new ApiError(502, {}) },
    { what: "a slow proxy", error: new ApiError(504, {}) },
    { what: "a first attempt that still runs", error: new ApiError(409, { code: "in_progress", inProgress: true }) },
  ])("$what, after half to a whole guess", ({ error }) => {
    expect(waitBefore(error, 1, PATIENCE, 0)).toBe(125);
    expect(waitBefore(error, 1, PATIENCE, 1)).toBe(250);
    expect(waitBefore(error, 9, PATIENCE, 1)).toBe(8_000);
    expect(waitBefore(error, PATIENCE.attempts, PATIENCE, 1)).toBeUndefined();
  });

  test.each([400, 401, 402, 403, 404, 409, 410, 428, 500])("not %i", (status) => {
    expect(waitBefore(new ApiError(status, { code: "any" }), 1, PATIENCE, 0)).toBeUndefined();
  });

  test("not what a node answered, and no defect of the program", () => {
    expect(waitBefore(new ApiError(502, { code: "upstream" }), 1, PATIENCE, 0)).toBeUndefined();
    expect(waitBefore(new TypeError("x is not a function"), 1, PATIENCE, 0)).toBeUndefined();
  });

  test("a budget that is spent: when the panel says, unless that is too long", () => {
    const told = (retryAfter: number) => new ApiError(429, { code: "rate_limited" }, { retryAfter });
    expect(waitBefore(told(7), 1, PATIENCE, 0)).toBe(7_000);
    expect(waitBefore(told(900), 1, PATIENCE, 0)).toBeUndefined();
  });

  test("a wait ends with its signal", async () => {
    const reason = new Error("stopped");
    await expect(pause(60_000, AbortSignal.abort(reason))).rejects.toBe(reason);
    const controller = new AbortController();
    const waiting = pause(60_000, controller.signal);
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
  });
});

test("the address of the next page", () => {
  expect(nextOf('</api/v1/users?cursor=abc>; rel="next"')).toBe("/api/v1/users?cursor=abc");
  expect(nextOf('</first>; rel="prev", </api/v1/users?cursor=b,c>; rel="next"')).toBe("/api/v1/users?cursor=b,c");
  expect(nextOf('</first>; rel="prev"')).toBeUndefined();
  expect(nextOf(null)).toBeUndefined();
});

describe("a delivery is genuine", () => {
  const secret = "whsec_test";
  const body = '{"v":1,"id":7,"event":"user.created"}';
  const signed = (time: number, text = body, by = secret): string =>
    `t=${time},v1=${createHmac("sha256", by).update(`${time}.`).update(text).digest("hex")}`;

  test("with the secret's signature, as text and as bytes", async () => {
    const signature = signed(1_000);
    expect(await verifyWebhook({ secret, signature, body, now: 1_000 })).toBe(true);
    expect(await verifyWebhook({ secret, signature, body: Buffer.from(body), now: 1_299 })).toBe(true);
  });

  test.each([
    ["another body", signed(1_000, "{}")],
    ["another secret", signed(1_000, body, "other")],
    ["an old delivery", signed(600)],
    ["one from the future", signed(1_400)],
    ["a time that was changed", signed(1_000).replace("t=1000", "t=1001")],
    ["no signature", undefined],
    ["half of one", "t=1000,v1=00"],
  ])("not with %s", async (_what, signature) => {
    expect(await verifyWebhook({ secret, signature, body, now: 1_000 })).toBe(false);
  });
});
