// Refusals in words: rules with a code in the reader's language, everything else in the panel's sentence.
import { describe, expect, test } from "vitest";
import { invalid, orEmpty, Refusal, rule, ruleSaying, type Rule } from "../../../src/http/index.ts";
import { ApiError } from "../../../src/client/api-error.ts";
import { fieldProblems, refusalText } from "../../../src/web/parts/refusal.ts";
import { parts as fa } from "../../../src/web/words/parts/fa.ts";
import { parts as en } from "../../../src/web/words/parts/en.ts";

/** What a page makes of the panel's own refusal. */
function met(field: string, broken: Rule): ApiError {
  try {
    return invalid(field, broken);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return new ApiError(error.status, error.body(), { requestId: "abc" });
  }
}

describe("a refusal", () => {
  test("of a rule is said in the reader's language, with its values", () => {
    expect(fieldProblems(met("settings.web_domain", orEmpty(rule("host"))), fa)).toEqual({
      "settings.web_domain": fa.refusals.rules.host,
    });
    expect(fieldProblems(met("newPassword", rule("length", 8, 256)), en)).toEqual({
      newPassword: "Use 8 to 256 characters",
    });
    expect(fieldProblems(met("role", rule("absent", "role", "clerk")), en)).toEqual({ role: "clerk does not exist" });
    expect(fieldProblems(met("kind", rule("choices", "a", "b")), en)).toEqual({ kind: "Choose from a, b" });
  });

  test("goes by the code, whatever the sentence says", () => {
    const said = ruleSaying("web_cert_file: /x does not exist", "missing_file", "/x");
    expect(fieldProblems(met("settings.web_cert_file", said), fa)).toEqual({
      "settings.web_cert_file": fa.refusals.rules.missing_file("/x"),
    });
  });

  test("of a code with fewer values than the page knows keeps the panel's sentence", () => {
    const issues = [{ path: "x", message: "must be 1 to 2", code: "between", values: [1] }];
    expect(fieldProblems(new ApiError(400, { error: "x: so", code: "validation", issues }), en)).toEqual({
      x: "must be 1 to 2",
    });
  });

  test("of a code that a newer panel may have keeps its sentence too", () => {
    const error = new ApiError(400, {
      error: "x: so",
      code: "validation",
      issues: [{ path: "x", message: "so", code: "toString" }],
    });
    expect(fieldProblems(error, en)).toEqual({ x: "so" });
  });

  test("without a field: the words of its code, and the request's name for the report", () => {
    const body = { error: "the panel cannot answer now", code: "unavailable" };
    expect(refusalText(new ApiError(503, body, { requestId: "abc", retryAfter: 1 }), fa)).toEqual({
      title: fa.panelFailed,
      cause: fa.refusals.codes.unavailable,
      detail: "503 · unavailable · retry-after=1 · request=abc",
    });
    expect(refusalText(new ApiError(409, { error: "so", code: "conflict" }), en).cause).toBe("so");
    const foreign = {
      error: "so",
      code: "cross_site",
      origin: "https://a.example:8443",
      expected: "https://a.example",
    };
    for (const words of [en, fa])
      expect(refusalText(new ApiError(403, foreign), words).cause).toBe(
        words.refusals.crossSite(foreign.origin, foreign.expected),
      );
    expect(refusalText(new ApiError(403, { ...foreign, origin: "" }), en).cause).toBe(en.refusals.codes.cross_site);
    expect(fieldProblems(new ApiError(409, { error: "port: so", code: "node_on", field: "port" }), fa)).toEqual({
      port: fa.refusals.codes.node_on,
    });
  });
});
