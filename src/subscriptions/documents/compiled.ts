// Documents compiled once for a set of inbounds, a format and a flow, and completed for each account: writing a
// whole document costs a hundred times as much as putting an account's own texts into it (rule subscriptions.entry.7).
// The writers of formats stay the only ones who know what a document is: they write it once, with marks in the places
// of the account's texts.
import { servedFlow, VISION } from "../../dialect/index.ts";
import type { CoreVersion } from "./cores.ts";
import { namesOf, unnamedEntries, type NameSource } from "./entries.ts";
import type { EntryFormatName } from "./limits.ts";
import { mark, piecesOf, type Mark, type Piece } from "./text-marks.ts";
import type { ServedInbound, SubscriptionUser } from "./model.ts";
import { namesAccount } from "./names.ts";
import { RENDERERS } from "./render.ts";
import { quoted as yamlQuoted } from "../../lib/yaml.ts";

const CREDENTIALS = ["uuid", "password", "ss16", "ss32"] as const;
type Credential = (typeof CREDENTIALS)[number];

/** A document without the texts of an account. */
export interface CompiledDocument {
  readonly pieces: readonly EncodedPiece[];
  /** What the names of its entries are made of, in the order of the entries. */
  readonly names: readonly NameSource[];
  readonly format: EntryFormatName;
  /** Characters that it holds. */
  readonly size: number;
  /** Bytes of its own texts. */
  readonly fixed: number;
  /** See `withNames`. */
  readonly named: (template: string) => CompiledDocument;
}

/** A text of the document as it goes to the socket, or a place of the account's. */
type EncodedPiece = Buffer | Exclude<Piece, string>;

/** A document as its writer gave it. */
interface Draft {
  readonly pieces: readonly Piece[];
  readonly names: readonly NameSource[];
  readonly format: EntryFormatName;
  readonly size: number;
}

/** The parts of an account that have their places in compiled documents, or change none of them. */
const KNOWN: ReadonlySet<string> = new Set([...CREDENTIALS, "name", "remark", "flow", "naming"]);

/**
 * Whether compiled documents suit an account: an empty text may change what is written around it, and what has no place
 * here can only be written for the account alone.
 */
export function isCompilable(user: SubscriptionUser): boolean {
  for (const part in user) if (!KNOWN.has(part) && user[part as keyof SubscriptionUser] !== undefined) return false;
  return CREDENTIALS.every((name) => user[name] !== "");
}

/** The part of an account's flow that changes a document; empty: no part does. */
export function compiledFlow({ flow }: SubscriptionUser): string {
  return servedFlow(flow) === VISION ? flow : "";
}

/** The document of accounts with this flow that are served by `inbounds`. */
export function compile(
  format: EntryFormatName,
  inbounds: readonly ServedInbound[],
  flow: string,
  core: CoreVersion,
): CompiledDocument {
  const marks = { uuid: mark("uuid"), password: mark("password"), ss16: mark("ss16"), ss32: mark("ss32") };
  const drafts = unnamedEntries({ name: "", remark: "", flow, ...marks }, inbounds);
  const entries = drafts.map(({ entry }, index) => ({ ...entry, name: mark(String(index)) }));
  // All of a base64 document is base64, of which there is no need to keep anything.
  const text = RENDERERS[format === "base64" ? "links" : format](entries, core);
  const names = drafts.map(({ naming }) => naming);
  const draft: Draft = { pieces: piecesOf(text), names, format, size: text.length };
  let last: { readonly template: string; readonly document: CompiledDocument } | undefined;
  const named = (template: string): CompiledDocument => {
    if (last?.template !== template) last = { template, document: encoded(withNames(draft, template), named) };
    return last.document;
  };
  return encoded(draft, named);
}

/**
 * Encoded once: an account's document is then copied together. As a text, every fetch would encode all of it again, and
 * a single letter beyond Latin would double that.
 */
function encoded({ pieces, ...draft }: Draft, named: CompiledDocument["named"]): CompiledDocument {
  const ready = pieces.map((piece) => (typeof piece === "string" ? Buffer.from(piece, "utf8") : piece));
  const fixed = ready.reduce((sum, piece) => sum + (Buffer.isBuffer(piece) ? piece.length : 0), 0);
  return { ...draft, pieces: ready, fixed, named };
}

/**
 * The document for an account: with the names of its entries in it where they say nothing of the account, as they do of
 * most. What is left is its credentials.
 */
export function documentFor(document: CompiledDocument, { remark, naming }: SubscriptionUser): CompiledDocument {
  return remark === "" ? document.named(naming?.template ?? "") : document;
}

function withNames(draft: Draft, template: string): Draft {
  const { format, names: sources, pieces } = draft;
  if (namesAccount(template) || sources.some(({ inbound }) => namesAccount(inbound))) return draft;
  const names = namesOf(sources, { name: "", remark: "", naming: { template, figure: () => "" } });
  const filledIn = (piece: Mark): string | Mark => {
    const name = names[Number(piece.of)];
    return name === undefined ? piece : writtenAs(format, name, piece.writing);
  };
  const known = pieces.map((piece): Piece => {
    if (typeof piece === "string") return piece;
    if ("of" in piece) return filledIn(piece);
    return { ...piece, packed: joined(piece.packed.map((part) => (typeof part === "string" ? part : filledIn(part)))) };
  });
  return { ...draft, names: [], pieces: joined(known) };
}

/** Texts that follow each other as one. */
function joined<P>(pieces: readonly (string | P)[]): (string | P)[] {
  const all: (string | P)[] = [];
  for (const piece of pieces) {
    const last = all.at(-1);
    if (typeof piece === "string" && typeof last === "string") all[all.length - 1] = last + piece;
    else all.push(piece);
  }
  return all;
}

/** How a format writes a text inside quotes. */
function quotedIn(format: EntryFormatName, text: string): string {
  return (format === "clash" ? yamlQuoted(text) : JSON.stringify(text)).slice(1, -1);
}

function writtenAs(format: EntryFormatName, text: string, writing: Mark["writing"]): string {
  if (writing === "plain") return text;
  return writing === "quoted" ? quotedIn(format, text) : encodeURIComponent(text);
}

/** What an account puts into a document: a text for each piece that is not the document's own. */
export type OwnTexts = readonly string[];

/** The texts of an account, as they are written in a document. */
export function ownTexts({ format, names: sources, pieces }: CompiledDocument, user: SubscriptionUser): OwnTexts {
  const names = sources.length === 0 ? [] : namesOf(sources, user);
  const texts: Readonly<Record<Credential, string>> = user;
  const known = new Map<string, string>();
  const written = ({ of, writing }: Mark): string => {
    const key = `${of} ${writing}`;
    let text = known.get(key);
    if (text === undefined) {
      const plain = names[Number(of)] ?? texts[of as Credential];
      text = writtenAs(format, plain, writing);
      known.set(key, text);
    }
    return text;
  };
  return pieces.flatMap((piece) => {
    if (Buffer.isBuffer(piece)) return [];
    if ("of" in piece) return [written(piece)];
    const inner = piece.packed.map((part) => (typeof part === "string" ? part : written(part)));
    return [Buffer.from(inner.join(""), "utf8").toString(piece.as)];
  });
}

/** The document with an account's texts in it, in UTF-8. */
export function filled({ format, pieces, fixed }: CompiledDocument, own: OwnTexts): Buffer {
  const length = own.reduce((sum, text) => sum + Buffer.byteLength(text), fixed);
  // With memory of its own: many are kept, each for as long as it is used.
  const bytes = Buffer.allocUnsafeSlow(length);
  let [at, next] = [0, 0];
  for (const piece of pieces) {
    if (Buffer.isBuffer(piece)) {
      bytes.set(piece, at);
      at += piece.length;
    } else at += bytes.write(own[next++] ?? "", at);
  }
  return format === "base64" ? Buffer.from(bytes.toString("base64"), "latin1") : bytes;
}
