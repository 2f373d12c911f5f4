// A refusal in words: a title in the person's language, the cause as the panel words it, and what a report would need.
import type { ApiError } from "../api/call.ts";
import type { Words } from "../words/language.ts";

export interface RefusalText {
  readonly title: string;
  readonly cause: string;
  /** Status, code and field, as they are on the wire. */
  readonly detail: string;
}

export function refusalText(error: ApiError, words: Words["parts"]): RefusalText {
  return { title: titleOf(error, words), cause: error.message, detail: detailOf(error) };
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
