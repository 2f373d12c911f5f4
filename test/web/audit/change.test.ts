// Records of the audit log as the page reads them.
import { expect, test } from "vitest";
import { changeParameters, nameIn, placeOf, sidesOf } from "../../../src/web/audit/change.ts";

test("changed fields have two sides; what is new or gone has one", () => {
  expect(sidesOf({ action: "update", obj: { volume: [1, 2], tags: [["a"], ["a", "b"]] } })).toEqual({
    before: { volume: 1, tags: ["a"] },
    after: { volume: 2, tags: ["a", "b"] },
  });
  // What the log hides reads the same on both sides, and changed all the same.
  const secret = { key: "[redacted]" };
  expect(sidesOf({ action: "update", obj: { volume: [1, 2], config: [secret, { ...secret }] } })).toEqual({
    before: { volume: 1, config: secret },
    after: { volume: 2, config: secret },
    hidden: ["config"],
  });
  expect(sidesOf({ action: "create", obj: { pair: [1, 2] } })).toEqual({ after: { pair: [1, 2] } });
  expect(sidesOf({ action: "delete", obj: { name: "x" } })).toEqual({ before: { name: "x" } });
  expect(sidesOf({ action: "resend", obj: { ids: [1, 2], queued: 2 } })).toEqual({ after: { ids: [1, 2], queued: 2 } });
  expect(sidesOf({ action: "update", obj: {} })).toEqual({ after: {} });
});

test("a record is called by what its change says of it now", () => {
  expect(nameIn({ obj: { name: ["old", "new"] } })).toBe("new");
  expect(nameIn({ obj: { username: "sara" } })).toBe("sara");
  expect(nameIn({ obj: { name: "", tag: 4 } })).toBeUndefined();
  expect([placeOf("users"), placeOf("oidc-providers")]).toEqual(["/users/:id", "/providers/:id"]);
});

test("a span is asked for as the time that it begins at", () => {
  expect(changeParameters({ since: "day", key: "users" }, 100_000)).toEqual({ key: "users", from: 13_600 });
  expect(changeParameters({ since: "ever", q: "x" }, 100_000)).toEqual({ q: "x" });
});
