// Texts that the other side says: bounded before they reach a log, a list or the database, and without what would steer
// a terminal or turn a line around.
import { z } from "zod";

/** Most of what is said about a wrong message, in an answer or a log line. */
const ISSUE_BYTES = 200;
const ELLIPSIS = "…";

/**
 * Control characters, line ends among them, lone surrogates (no database takes them), and marks that change the
 * direction of what follows.
 */
const STEERING = /[\p{Cc}\p{Cs}\u{2028}\u{2029}\u{200e}\u{200f}\u{202a}-\u{202e}\u{2066}-\u{2069}]+/gu;

/** The text in at most so many bytes of UTF-8, cut between characters, in one line. */
export function plainLine(text: string, bytes: number): string {
  // No character is less than a byte: what is beyond is not even looked at.
  const clean = text.slice(0, bytes).replaceAll(STEERING, " ");
  if (text.length <= bytes && Buffer.byteLength(clean) <= bytes) return clean;
  const room = Buffer.from(clean).subarray(0, bytes - Buffer.byteLength(ELLIPSIS));
  return `${new TextDecoder("utf-8", { ignoreBOM: true }).decode(room, { stream: true })}${ELLIPSIS}`;
}

/** What is wrong with a message: the first thing, where it stands, in at most 200 bytes. */
export function firstIssue(error: z.ZodError): string {
  const [issue] = error.issues;
  if (!issue) return "is wrong";
  const place = issue.path.map(String).join(".");
  return plainLine(
    place === "" ? issue.message : `${plainLine(place, ISSUE_BYTES / 2)}: ${issue.message}`,
    ISSUE_BYTES,
  );
}

/** A text for people: what is longer is cut, since no honest end should fail for its length. */
export function said(bytes: number) {
  return z.string().transform((text) => plainLine(text, bytes));
}
