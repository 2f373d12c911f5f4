// The bodies of subscriptions: each made from a document that is compiled once (rule subscriptions.entry.7).
import {
  compile,
  compiledFlow,
  documentFor,
  filled,
  isCompilable,
  ownTexts,
  type CompiledDocument,
} from "../documents/compiled.ts";
import { entriesOf } from "../documents/entries.ts";
import type { CoreVersion } from "../documents/cores.ts";
import type { EntryFormatName } from "../documents/limits.ts";
import type { ServedInbound, SubscriptionUser } from "../documents/model.ts";
import { RENDERERS } from "../documents/render.ts";

/** Characters of all compiled documents together, with those of inbounds that are no longer served. */
const CAPACITY = 32 * 1024 * 1024;

/** A document that is kept whole with each account. Of a larger one the account's own texts are kept. */
const SMALL = 4096;

/** The body of an account. */
export interface Body {
  /** UTF-8. Nobody may change it. */
  readonly bytes: () => Buffer;
  /** Bytes that keeping it takes, about. */
  readonly size: number;
}

export function whole(text: string): Body {
  return wholeBytes(Buffer.from(text, "utf8"));
}

function wholeBytes(bytes: Buffer): Body {
  return { bytes: () => bytes, size: bytes.length };
}

/**
 * Compiled documents by the inbounds that they list. Whoever changes an inbound, a template or a node makes new lists
 * of inbounds (`ServedInbounds`), so what was compiled from the old ones is never found again.
 */
export class Documents {
  readonly #capacity: number;
  #compiled = new WeakMap<readonly ServedInbound[], Map<string, CompiledDocument>>();
  #size = 0;

  constructor(capacity = CAPACITY) {
    this.#capacity = capacity;
  }

  /** The body that lists `inbounds` for a user. */
  of(format: EntryFormatName, inbounds: readonly ServedInbound[], user: SubscriptionUser, core?: CoreVersion): Body {
    if (!isCompilable(user)) return whole(RENDERERS[format](entriesOf(user, inbounds), core));
    const document = documentFor(this.#document(format, inbounds, compiledFlow(user), core), user);
    const own = ownTexts(document, user);
    if (document.size < SMALL || format === "base64") return wholeBytes(filled(document, own));
    return { bytes: () => filled(document, own), size: own.reduce((size, text) => size + text.length, 0) };
  }

  #document(
    format: EntryFormatName,
    inbounds: readonly ServedInbound[],
    flow: string,
    core: CoreVersion,
  ): CompiledDocument {
    const form = `${format} ${flow} ${core?.join(".") ?? ""}`;
    const known = this.#compiled.get(inbounds)?.get(form);
    if (known) return known;
    const document = compile(format, inbounds, flow, core);
    // With the names in it, it may be kept a second time.
    this.#size += 2 * document.size;
    if (this.#size > this.#capacity) {
      this.#compiled = new WeakMap();
      this.#size = 2 * document.size;
    }
    const forms = this.#compiled.get(inbounds) ?? new Map<string, CompiledDocument>();
    this.#compiled.set(inbounds, forms.set(form, document));
    return document;
  }
}
