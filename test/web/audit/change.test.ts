// Records of the audit log as the page reads them.
import { expect, test } from "vitest";
import { changeParameters, nameIn, placeOf, sidesOf } from "../../../src/web/audit/change.ts";

test("changed fields have two sides; what is new or gone has one", () => {
  expect(sidesOf({ key: "nodes", action: "update", obj: { volume: [1, 2], tags: [["a"], ["a", "b"]] } })).toEqual({
    before: { volume: 1, tags: ["a"] },
    after: { volume: 2, tags: ["a", "b"] },
  });
  // What the log hides reads the same on both sides, and changed all the same: of an account part by part.
  const [before, after] = [
    { password: "[redacted]", flow: "x" },
    { password: "[redacted]", flow: "", by: "[redacted]" },
  ];
  const obj = { config: [before, after], subId: ["[redacted]", "[redacted]"] };
  expect(sidesOf({ key: "users", action: "update", obj })).toEqual({
    before: { config: before, subId: "[redacted]" },
    after: { config: after, subId: "[redacted]" },
    hidden: [["config", "password"], ["subId"]],
  });
  expect(sidesOf({ key: "inbounds", action: "update", obj }).hidden).toEqual([["subId"]]);
  expect(sidesOf({ key: "nodes", action: "create", obj: { pair: [1, 2] } })).toEqual({ after: { pair: [1, 2] } });
  expect(sidesOf({ key: "nodes", action: "delete", obj: { name: "x" } })).toEqual({ before: { name: "x" } });
  expect(sidesOf({ key: "nodes", action: "resend", obj: { ids: [1, 2], queued: 2 } })).toEqual({
    after: { ids: [1, 2], queued: 2 },
  });
  expect(sidesOf({ key: "nodes", action: "update", obj: {} })).toEqual({ after: {} });
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
