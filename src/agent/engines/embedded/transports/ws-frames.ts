// WebSocket frames of the server's side (RFC 6455 section 5): masked frames in, headers for unmasked frames out. No
// sockets here. A tunnel is a stream: message borders mean nothing, so payload is passed on as it comes and no frame is
// ever assembled. Not `ws`: it gives whole messages, which a client that sends one endless frame would have it keep in
// memory, and its socket knows neither bytes that came with the opening nor a close that waits (`ws.ts`).

/** The longest header of a server's frame. */
export const MAX_FRAME_HEAD = 10;
/** A single frame above this is taken for an attack. It bounds nothing in memory: payload is passed on as it comes. */
export const MAX_FRAME_BYTES = 16 * 1024 * 1024;
const MAX_CONTROL_BYTES = 125;

export const Opcode = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

export interface FrameEvents {
  /** Unmasked payload: a view on the chunk that was fed. */
  onPayload(bytes: Buffer): void;
  onPing(payload: Buffer): void;
  /** The peer closes; nothing is read after it. */
  onClose(code: number | undefined): void;
}

/** Bytes that a data frame's header takes. */
export function frameHeadLength(payloadLength: number): number {
  return payloadLength < 126 ? 2 : payloadLength < 65_536 ? 4 : MAX_FRAME_HEAD;
}

/** Writes a final, unmasked frame's header at `at`; `frameHeadLength` says how long it is. */
export function writeFrameHead(into: Buffer, at: number, opcode: number, payloadLength: number): void {
  into[at] = 0x80 | opcode;
  if (payloadLength < 126) {
    into[at + 1] = payloadLength;
  } else if (payloadLength < 65_536) {
    into[at + 1] = 126;
    into.writeUInt16BE(payloadLength, at + 2);
  } else {
    into[at + 1] = 127;
    into.writeUInt32BE(0, at + 2);
    into.writeUInt32BE(payloadLength, at + 6);
  }
}

/** A whole small frame, for pong and close. */
export function encodeControlFrame(opcode: number, payload: Buffer): Buffer {
  const out = Buffer.allocUnsafe(2 + payload.length);
  writeFrameHead(out, 0, opcode, payload.length);
  payload.copy(out, 2);
  return out;
}

/**
 * Reads a client's frames from chunks cut anywhere. One decoder serves one connection; it is dead after a violation or
 * a close frame.
 */
export class FrameDecoder {
  readonly #events: FrameEvents;
  /** A header cut by the end of a chunk: at most 14 bytes. */
  #partial: Buffer | undefined;
  #opcode = 0;
  #left = 0;
  #mask = 0;
  /** Payload bytes of the running frame already unmasked, modulo 4. */
  #phase = 0;
  #inFrame = false;
  #inMessage = false;
  #final = false;
  #control: Buffer[] = [];
  #closed = false;

  constructor(events: FrameEvents) {
    this.#events = events;
  }

  /**
   * Consumes a chunk, which it changes in place (unmasking, closing the gaps that headers leave), so payload leaves as
   * one view. Answers the violation, if any.
   */
  feed(fresh: Buffer): string | undefined {
    const chunk = this.#partial ? Buffer.concat([this.#partial, fresh]) : fresh;
    this.#partial = undefined;
    let at = 0;
    let filled = 0;
    let violation: string | undefined;
    while (at < chunk.length && !this.#closed) {
      if (!this.#inFrame) {
        const length = this.#readHead(chunk, at);
        if (typeof length === "string") {
          violation = length;
          this.#closed = true;
          break;
        }
        if (length === 0) {
          this.#partial = Buffer.from(chunk.subarray(at));
          break;
        }
        at += length;
      }
      const size = Math.min(this.#left, chunk.length - at);
      unmask(chunk, at, size, this.#mask, this.#phase);
      this.#phase = (this.#phase + size) & 3;
      this.#left -= size;
      if (this.#opcode < 8) {
        if (filled !== at) chunk.copyWithin(filled, at, at + size);
        filled += size;
      } else if (size > 0) {
        this.#control.push(Buffer.from(chunk.subarray(at, at + size)));
      }
      at += size;
      if (this.#left === 0) {
        this.#inFrame = false;
        if (this.#opcode >= 8) {
          // What came before the control frame goes first, so that a close never overtakes payload.
          if (filled > 0 && this.#opcode === Opcode.close) this.#events.onPayload(chunk.subarray(0, filled));
          if (this.#opcode === Opcode.close) filled = 0;
          this.#endControl();
        } else {
          this.#inMessage = !this.#final;
        }
      }
    }
    if (filled > 0) this.#events.onPayload(chunk.subarray(0, filled));
    return violation;
  }

  /** Reads a header at `at`: its length, 0 when it is cut, or the violation. */
  #readHead(chunk: Buffer, at: number): number | string {
    const first = chunk[at] ?? 0;
    const second = chunk[at + 1];
    if ((first & 0x70) !== 0) return "a reserved bit is set";
    const opcode = first & 15;
    const final = (first & 0x80) !== 0;
    if (opcode > 10 || (opcode > 2 && opcode < 8)) return `opcode ${opcode} is unknown`;
    if (second === undefined) return 0;
    if ((second & 0x80) === 0) return "the frame is not masked";
    let length = second & 127;
    if (opcode >= 8 && (!final || length > MAX_CONTROL_BYTES)) return "the control frame is fragmented or too long";
    if (opcode < 8 && (opcode === Opcode.continuation) !== this.#inMessage) return "the fragment is out of order";
    const wide = length === 126 ? 2 : length === 127 ? 8 : 0;
    if (chunk.length < at + 6 + wide) return 0;
    if (wide === 2) length = chunk.readUInt16BE(at + 2);
    if (wide === 8) {
      length = chunk.readUInt32BE(at + 2) === 0 ? chunk.readUInt32BE(at + 6) : Infinity;
      if (length > MAX_FRAME_BYTES) return "the frame is too long";
    }
    this.#opcode = opcode;
    this.#final = final;
    this.#left = length;
    this.#mask = chunk.readUInt32LE(at + 2 + wide);
    this.#phase = 0;
    this.#inFrame = true;
    return 6 + wide;
  }

  #endControl(): void {
    const payload = Buffer.concat(this.#control);
    this.#control = [];
    if (this.#opcode === Opcode.ping) this.#events.onPing(payload);
    if (this.#opcode !== Opcode.close) return;
    this.#closed = true;
    this.#events.onClose(payload.length >= 2 ? payload.readUInt16BE(0) : undefined);
  }
}

/**
 * XORs `size` bytes at `at` with the mask (little endian), `phase` bytes into it; whole words where the memory is
 * aligned.
 */
function unmask(bytes: Buffer, at: number, size: number, mask: number, phase: number): void {
  const end = at + size;
  let i = at;
  let shift = phase;
  while (i < end && ((bytes.byteOffset + i) & 3) !== 0) {
    bytes[i] = (bytes[i] ?? 0) ^ (mask >>> (shift << 3));
    shift = (shift + 1) & 3;
    i += 1;
  }
  const words = (end - i) >> 2;
  if (words > 0) {
    const turned = shift === 0 ? mask : (mask >>> (shift << 3)) | (mask << (32 - (shift << 3)));
    const view = new Int32Array(bytes.buffer, bytes.byteOffset + i, words);
    for (let w = 0; w < words; w++) view[w] = (view[w] ?? 0) ^ turned;
    i += words << 2;
  }
  while (i < end) {
    bytes[i] = (bytes[i] ?? 0) ^ (mask >>> (shift << 3));
    shift = (shift + 1) & 3;
    i += 1;
  }
}
