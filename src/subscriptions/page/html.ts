// HTML as a tagged template: whatever is put into one is escaped, and nothing else makes HTML. Names, remarks, titles
// and notes come from people, and some are hostile (rule subscriptions.page.2).
import { createHash } from "node:crypto";

/** Finished HTML. Only this module makes it. */
export class Html {
  readonly #text: string;

  private constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }

  /** For `inline` below: its text is hashed, so not a character of it may change. */
  static verbatim(text: string): Html {
    return new Html(text);
  }

  /** For `html` below. */
  static joined(strings: readonly string[], parts: readonly Part[]): Html {
    let text = tight(strings[0] ?? "");
    for (const [index, part] of parts.entries()) {
      text += placed(part, placeOf(strings[index] ?? "")) + tight(strings[index + 1] ?? "");
    }
    return new Html(text);
  }
}

/** Where a link may lead: made by the functions below, which check it. */
export class Link {
  readonly href: string;

  private constructor(href: string) {
    this.href = href;
  }

  /** A page on the web or an address to write to; undefined for anything else. */
  static web(text: string): Link | undefined {
    if (!URL.canParse(text)) return undefined;
    const url = new URL(text);
    return WEB.has(url.protocol) ? new Link(url.href) : undefined;
  }

  /** An app's own scheme, or the web; undefined for what a browser would run or open from the device. */
  static app(text: string): Link | undefined {
    const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[1]?.toLowerCase();
    return scheme === undefined || RUN.has(scheme) ? undefined : new Link(text);
  }

  /** A place on the same page: `?lang=fa`, `#qr`. */
  static here(text: string): Link | undefined {
    return /^[?#]/.test(text) ? new Link(text) : undefined;
  }

  /** A picture that the address itself holds; undefined for any other. */
  static picture(text: string): Link | undefined {
    return PICTURE.test(text) ? new Link(text) : undefined;
  }
}

const WEB: ReadonlySet<string> = new Set(["http:", "https:", "mailto:", "tg:"]);
const RUN: ReadonlySet<string> = new Set(
  "javascript vbscript data blob file filesystem about view-source intent content chrome resource".split(" "),
);
/** Raster pictures and SVG, which a browser runs nothing of in `<img>`. */
export const PICTURE = /^data:image\/(?:png|jpeg|webp|gif|svg\+xml);base64,[A-Za-z0-9+/]+={0,2}$/;

/** What a template takes; false, undefined and the empty list are nothing. */
export type Part = Html | Link | string | number | false | undefined | readonly Part[];

type Place = "text" | "link";

const tightened = new Map<string, string>();

/** A piece of a template without the indentation of its source. */
function tight(piece: string): string {
  let text = tightened.get(piece);
  if (text === undefined) tightened.set(piece, (text = piece.replaceAll(/\n\s+/g, "\n")));
  return text;
}

const places = new Map<string, Place>();

/** What kind of place follows a piece of a template. */
function placeOf(before: string): Place {
  const known = places.get(before);
  if (known !== undefined) return known;
  if (/=\s*$/.test(before)) throw new TypeError(`a value needs quotes: ${before.slice(-40)}`);
  if (/\son\w+="[^"]*$/i.test(before)) throw new TypeError(`no code in attributes: ${before.slice(-40)}`);
  const place = /\s(?:href|src|action)="$/i.test(before) ? "link" : "text";
  places.set(before, place);
  return place;
}

function placed(part: Part, place: Place): string {
  if (part instanceof Link) return escape(part.href);
  if (place === "link") throw new TypeError("a link must be made by Link");
  if (part === false || part === undefined) return "";
  if (part instanceof Html) return part.toString();
  if (typeof part === "string" || typeof part === "number") return escape(String(part));
  return part.map((each) => placed(each, place)).join("");
}

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  "`": "&#96;",
};

/** What HTML cannot hold, and what turns the direction of the rest of the page. */
// oxlint-disable-next-line no-control-regex
const UNSHOWN = /[\u0000\u202a-\u202e\u2066-\u2069]/g;

function escape(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(UNSHOWN, "")
    .replaceAll(/[&<>"'`]/g, (character) => ESCAPES[character] ?? "");
}

/** HTML with everything in it escaped. Attributes are written with double quotes; links take a `Link`. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return Html.joined(strings, parts);
}

/** A style or script of the page's own, and the source by which its policy lets exactly this text through. */
export interface Inline {
  readonly element: Html;
  readonly source: string;
}

/** `text` is the panel's own, never a person's: it is not escaped. */
export function inline(kind: "style" | "script", text: string): Inline {
  if (/<[/!]/.test(text)) throw new TypeError(`a ${kind} must not hold markup`);
  const source = `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  const [open, close] = kind === "style" ? ["<style>", "</style>"] : ["<script>", "</script>"];
  return { element: Html.verbatim(`${open}${text}${close}`), source };
}
