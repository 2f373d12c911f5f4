// A refusal in words: a title in the person's language, the cause as far as it has words there, and what a report would
// need.
import type { RuleCode } from "../../http/refusals/rule.schema.ts";
import type { ApiError, RefusedField } from "../../client/api-error.ts";
import type { Words } from "../words/language.ts";

export interface RefusalText {
  readonly title: string;
  /** Words for the code where the panel's sentence says no more than it; else that sentence, which is English. */
  readonly cause: string;
  /** Status, code, field and the request's name, as they are on the wire. */
  readonly detail: string;
}

export function refusalText(error: ApiError, words: Words["parts"]): RefusalText {
  return { title: titleOf(error, words), cause: causeOf(error, words), detail: detailOf(error) };
}

/** What is wrong, by field as the API names it; empty where the refusal is of no field. */
export function fieldProblems(
  error: ApiError | null | undefined,
  words: Words["parts"],
): Readonly<Record<string, string>> {
  if (!error) return {};
  if (error.issues.length > 0) {
    const problemOf = (issue: RefusedField) => (error.code === "duplicate" ? words.taken : problemText(issue, words));
    return Object.fromEntries(error.issues.map((issue) => [issue.path, problemOf(issue)]));
  }
  const { field, code, message } = error;
  if (field === undefined) return {};
  return { [field]: code === "duplicate" ? words.taken : (wordsOf(code, words) ?? withoutField(message, field)) };
}

/**
 * Why a field is refused: in the person's language, by the code of its rule; a rule that the page does not know in the
 * panel's words.
 */
export function problemText({ path, code, values = [], message }: RefusedField, words: Words["parts"]): string {
  if (!isRule(code, words)) return withoutField(message, path.slice(path.lastIndexOf(".") + 1));
  const told: string | ((...values: never[]) => string) = words.refusals.rules[code];
  if (typeof told === "string") return told;
  // The compiler holds words and values of a code together; a panel of another version may send fewer.
  return values.length < told.length ? message : told(...(values as never[]));
}

/** A panel that was updated under the page may know rules that the page does not. */
function isRule(code: string | undefined, words: Words["parts"]): code is RuleCode {
  return code !== undefined && Object.hasOwn(words.refusals.rules, code);
}

/** The panel writes the field's name before the message; here the message is shown at the field. */
function withoutField(message: string, field: string): string {
  return message.startsWith(`${field}: `) ? message.slice(field.length + 2) : message;
}

function causeOf(error: ApiError, words: Words["parts"]): string {
  const { code, message } = error;
  const problems = Object.entries(fieldProblems(error, words));
  if (problems.length > 0) return problems.map(([field, problem]) => `${field}: ${problem}`).join("; ");
  return crossSite(error, words) ?? wordsOf(code, words) ?? message;
}

/** Both names, where the panel tells them: which one is wrong only the person knows. */
function crossSite({ code, body }: ApiError, words: Words["parts"]): string | undefined {
  const { origin, expected } = body;
  if (code !== "cross_site" || typeof origin !== "string" || typeof expected !== "string") return undefined;
  return origin === "" || expected === "" ? undefined : words.refusals.crossSite(origin, expected);
}

function wordsOf(code: string | undefined, words: Words["parts"]): string | undefined {
  return Object.entries(words.refusals.codes).find(([name]) => name === code)?.[1];
}

function titleOf({ status, code }: ApiError, words: Words["parts"]): string {
  if (status === 0) return words.unreachable;
  if (code === "version_conflict") return words.conflict;
  if (status === 401) return words.signedOut;
  if (status === 403) return words.forbidden;
  if (status === 404) return words.notFound;
  if (status === 429) return words.tooMany;
  if (status === 400) return words.invalid;
  if (status === 402) return words.capReached;
  if (status >= 500) return words.panelFailed;
  return words.refused;
}

function detailOf({ status, code, field, retryAfter, requestId }: ApiError): string {
  const parts = [status === 0 ? "" : String(status), code ?? "", field === undefined ? "" : `field=${field}`];
  if (retryAfter !== undefined) parts.push(`retry-after=${retryAfter}`);
  if (requestId !== undefined) parts.push(`request=${requestId}`);
  return parts.filter((part) => part !== "").join(" · ");
}
