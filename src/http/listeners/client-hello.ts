// The first message of a TLS connection, as far as it says which server and which protocol the client wants. Reading it
// decides nothing about TLS: the TLS server reads the same bytes again, and refuses what is wrong with them.

/** What a client asks for before anything is encrypted. */
export interface ClientHello {
  /** In lower case; empty without one. */
  readonly serverName: string;
  /** Protocols that the client offers (ALPN), the preferred one first. */
  readonly protocols: readonly string[];
}

/** Bytes of which a ClientHello is read at most. Post-quantum keys make it 1.5 to 2 KiB. */
export const LONGEST_HELLO = 16 * 1024;

/** Records that it may lie in. No client needs more than two; each is looked at again with every packet. */
const MOST_RECORDS = 32;
const HANDSHAKE = 22;
const CLIENT_HELLO = 1;
const RECORD_HEAD = 5;
const MESSAGE_HEAD = 4;
const SERVER_NAME = 0;
const PROTOCOLS = 16;

/**
 * The ClientHello at the beginning of `bytes`. `more`: these bytes may be the beginning of one. `other`: they are not,
 * or it is one that nobody has to understand here.
 */
export function readClientHello(bytes: Uint8Array): ClientHello | "more" | "other" {
  const message = messageIn(bytes);
  if (typeof message === "string") return message;
  try {
    return helloIn(new Fields(message));
  } catch (error) {
    if (error instanceof Short) return "other";
    throw error;
  }
}

/** The body of the first handshake message, which may lie in several records. */
function messageIn(bytes: Uint8Array): Uint8Array | "more" | "other" {
  const pieces: Uint8Array[] = [];
  let have = 0;
  for (let at = 0; at < bytes.length;) {
    // Content type, the major version of every TLS, and a minor one that says nothing.
    if (bytes[at] !== HANDSHAKE || (bytes[at + 1] ?? 3) !== 3 || pieces.length === MOST_RECORDS) return "other";
    if (at + RECORD_HEAD > bytes.length) return "more";
    const length = numberAt(bytes, at + 3, 2);
    if (length === 0 || length > LONGEST_HELLO) return "other";
    const piece = bytes.subarray(at + RECORD_HEAD, at + RECORD_HEAD + length);
    pieces.push(piece);
    have += piece.length;
    at += RECORD_HEAD + length;
    if ((pieces[0]?.[0] ?? CLIENT_HELLO) !== CLIENT_HELLO) return "other";
    if (have < MESSAGE_HEAD) continue;
    const needed = MESSAGE_HEAD + numberAt(joined(pieces, MESSAGE_HEAD), 1, 3);
    if (needed > LONGEST_HELLO) return "other";
    if (have >= needed) return joined(pieces, needed).subarray(MESSAGE_HEAD);
  }
  return "more";
}

function helloIn(fields: Fields): ClientHello {
  fields.skip(2 + 32); // Version, random.
  fields.skip(fields.number(1)); // Session.
  fields.skip(fields.number(2)); // Cipher suites.
  fields.skip(fields.number(1)); // Compression.
  let serverName = "";
  let protocols: readonly string[] = [];
  const extensions = fields.isEmpty ? fields : fields.part(2);
  while (!extensions.isEmpty) {
    const type = extensions.number(2);
    const extension = extensions.part(2);
    if (type === SERVER_NAME) serverName = nameIn(extension.part(2));
    else if (type === PROTOCOLS) protocols = textsIn(extension.part(2));
  }
  return { serverName, protocols };
}

/** The first host name of the list. */
function nameIn(list: Fields): string {
  while (!list.isEmpty) {
    const isHostName = list.number(1) === 0;
    const name = list.part(2).text();
    if (isHostName) return name.toLowerCase();
  }
  return "";
}

function textsIn(list: Fields): string[] {
  const texts: string[] = [];
  while (!list.isEmpty) texts.push(list.part(1).text());
  return texts;
}

/** The message ends before a field of it does. */
class Short extends Error {
  override readonly name = "Short";
}

/** Fields of a message, one after the other. */
class Fields {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isEmpty(): boolean {
    return this.#at >= this.#bytes.length;
  }

  skip(length: number): void {
    this.#take(length);
  }

  /** A number of so many bytes. */
  number(length: number): number {
    return numberAt(this.#take(length), 0, length);
  }

  /** What a length of so many bytes stands before. */
  part(length: number): Fields {
    return new Fields(this.#take(this.number(length)));
  }

  text(): string {
    return Buffer.from(this.#bytes.buffer, this.#bytes.byteOffset, this.#bytes.length).toString("latin1");
  }

  #take(length: number): Uint8Array {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new Short();
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }
}

function numberAt(bytes: Uint8Array, at: number, length: number): number {
  let value = 0;
  for (let offset = 0; offset < length; offset++) value = value * 256 + (bytes[at + offset] ?? 0);
  return value;
}

/** The first `length` bytes of the pieces. */
function joined(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    if (at === length) break;
    const part = piece.subarray(0, length - at);
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
