// Refusals in words: rules with a code in the reader's language, everything else in the panel's sentence.
import { describe, expect, test } from "vitest";
import { invalid, Refusal } from "../../../src/http/index.ts";
import { ApiError } from "../../../src/web/api/api-error.ts";
import { fieldProblems, refusalText } from "../../../src/web/parts/refusal.ts";
import { parts as fa } from "../../../src/web/words/parts/fa.ts";
import { parts as en } from "../../../src/web/words/parts/en.ts";

/** What a page makes of the panel's own refusal. */
function met(field: string, sentence: string): ApiError {
  try {
    return invalid(field, sentence);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return new ApiError(error.status, error.body(), { requestId: "abc" });
  }
}

describe("a refusal", () => {
  test("of a rule with a code is said in the reader's language, with its measures", () => {
    expect(fieldProblems(met("settings.web_domain", "must be a host name or an IP address, or empty"), fa)).toEqual({
      "settings.web_domain": fa.refusals.rules.host,
    });
    expect(fieldProblems(met("newPassword", "must have 8 to 256 characters"), en)).toEqual({ newPassword: "Use 8 to 256 characters" });
  });

  test("of another rule keeps the panel's sentence, without the field before it", () => {
    expect(fieldProblems(met("settings.web_cert_file", "web_cert_file: /x does not exist"), fa)).toEqual({
      "settings.web_cert_file": "/x does not exist",
    });
  });

  test("of a code that a newer panel may have keeps its sentence too", () => {
    const error = new ApiError(400, { error: "x: so", code: "validation", issues: [{ path: "x", message: "so", code: "toString" }] });
    expect(fieldProblems(error, en)).toEqual({ x: "so" });
  });

  test("without a field: the words of its code, and the request's name for the report", () => {
    const body = { error: "the panel cannot answer now", code: "unavailable" };
    expect(refusalText(new ApiError(503, body, { requestId: "abc", retryAfter: 1 }), fa)).toEqual({
      title: fa.panelFailed,
      cause: fa.refusals.codes.unavailable,
      detail: "503 · unavailable · retry-after=1 · request=abc",
    });
    expect(refusalText(new ApiError(409, { error: "the node is switched off", code: "conflict" }), en).cause).toBe(
      "the node is switched off",
    );
  });
});
