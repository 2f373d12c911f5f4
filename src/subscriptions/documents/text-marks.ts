// Marks stand for an account's own texts while a document is compiled (`compiled.ts`): the writers of formats put them
// where they put the texts themselves, and need not know of them. Only base64 hides what it is made of, so its writers
// ask this file.
import { randomBytes } from "node:crypto";

/** What no name, path or password of others holds: private characters around a word of this process alone. */
const WORD = randomBytes(12).toString("hex");
const OPEN = `\uE000${WORD}.`;
const CLOSE = "\uE001";
const PACK = `\uE002${WORD}.`;
const UNPACK = "\uE003";
/** A mark as it is, or as `encodeURIComponent` writes it. */
const MARK = new RegExp(
  `${OPEN}(\\w+)${CLOSE}|${encodeURIComponent(OPEN)}(\\w+)${encodeURIComponent(CLOSE)}`.replaceAll(".", "\\."),
  "g",
);
const PACKED = new RegExp(`${PACK.replace(".", "\\.")}(\\w+) (\\w+) ([^]*?)${UNPACK}`, "g");

/** How a text is written where it stands: as a part of a URL, of a quoted text of the document, or as it is. */
export type Writing = "url" | "quoted" | "plain";
export type Base64 = "base64" | "base64url";

/** The place of a text of the account. */
export interface Mark {
  readonly of: string;
  readonly writing: Writing;
}

/** A piece of a compiled text: one that stays as it is, a mark, or some of both in base64. */
export type Piece = string | Mark | { readonly packed: readonly (string | Mark)[]; readonly as: Base64 };

/** The mark of a text of the account. `of`: letters and digits. */
export function mark(of: string): string {
  return `${OPEN}${of}${CLOSE}`;
}

/** A text in base64. `writing`: of marks inside it. */
export function inBase64(text: string, as: Base64, writing: "quoted" | "plain"): string {
  return text.includes(OPEN) ? `${PACK}${as} ${writing} ${text}${UNPACK}` : Buffer.from(text, "utf8").toString(as);
}

function marked(text: string, writing: "quoted" | "plain"): (string | Mark)[] {
  const pieces: (string | Mark)[] = [];
  let at = 0;
  for (const found of text.matchAll(MARK)) {
    const [whole, asItIs, inUrl] = found;
    if (found.index > at) pieces.push(text.slice(at, found.index));
    pieces.push(asItIs === undefined ? { of: inUrl ?? "", writing: "url" } : { of: asItIs, writing });
    at = found.index + whole.length;
  }
  if (at < text.length) pieces.push(text.slice(at));
  return pieces;
}

/** The pieces of a text with marks. */
export function piecesOf(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const found of text.matchAll(PACKED)) {
    const [whole, as, writing, inner = ""] = found;
    pieces.push(...marked(text.slice(at, found.index), "quoted"));
    pieces.push({
      packed: marked(inner, writing === "plain" ? "plain" : "quoted"),
      as: as === "base64url" ? "base64url" : "base64",
    });
    at = found.index + whole.length;
  }
  pieces.push(...marked(text.slice(at), "quoted"));
  return pieces;
}
