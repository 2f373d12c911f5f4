// What an identity provider may answer: how much of it is read, and which subject and address are taken from it.

/** Bytes of an answer that are read. */
export const MAX_ANSWER = 256 * 1024;

/** An answer of a provider that proves nobody. The message may be logged: it never carries a code, token or secret. */
export class IdentityUnproven extends Error {
  override readonly name = "IdentityUnproven";
}

/** A subject that can be stored and compared: 1 to 255 characters, none of them a control character. */
export function provenSubject(value: unknown): string {
  const text = typeof value === "number" && Number.isSafeInteger(value) ? String(value) : value;
  if (typeof text === "string" && /^[^\p{Cc}]{1,255}$/u.test(text)) return text;
  throw new IdentityUnproven("the provider's answer has no usable subject");
}

/** An e-mail address to show; empty where there is none. */
export function shownEmail(value: unknown): string {
  return typeof value === "string" && /^[^\s\p{Cc}]{1,320}$/u.test(value) ? value : "";
}

/** Why a provider proved nobody, for the log: what failed, in the words of the client, never what the provider sent. */
export function reasonOf(error: unknown): string {
  const reasons: string[] = [];
  // A SyntaxError quotes the text that it could not read, which may be a token.
  for (
    let each = error;
    each instanceof Error && !(each instanceof SyntaxError) && reasons.length < 4;
    each = each.cause
  )
    reasons.push(each.message);
  return reasons.join(": ");
}
