// Numbers in as few bytes as they need, seven bits each: whole numbers from 0 to the largest that is exact.

const LARGE = 2 ** 28;

export class ByteWriter {
  #bytes: Uint8Array<ArrayBuffer>;
  #end = 0;

  constructor(size = 1024) {
    this.#bytes = new Uint8Array(size);
  }

  get length(): number {
    return this.#end;
  }

  put(value: number): void {
    if (this.#end + 8 > this.#bytes.length) this.#grow(8);
    let rest = value;
    while (rest >= LARGE) {
      this.#bytes[this.#end++] = (rest % 128) | 128;
      rest = Math.floor(rest / 128);
    }
    while (rest > 127) {
      this.#bytes[this.#end++] = (rest & 127) | 128;
      rest >>>= 7;
    }
    this.#bytes[this.#end++] = rest;
  }

  /** What `other` has, behind what is here. */
  append(other: ByteWriter): void {
    if (this.#end + other.#end > this.#bytes.length) this.#grow(other.#end);
    this.#bytes.set(other.#bytes.subarray(0, other.#end), this.#end);
    this.#end += other.#end;
  }

  clear(): void {
    this.#end = 0;
  }

  /** A copy of its own. */
  bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.#end);
  }

  #grow(by: number): void {
    const larger = new Uint8Array(Math.max(2 * this.#bytes.length, this.#end + by));
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}

export class ByteReader {
  readonly #bytes: Uint8Array;
  at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get done(): boolean {
    return this.at >= this.#bytes.length;
  }

  take(): number {
    const bytes = this.#bytes;
    let byte = bytes[this.at++];
    if (byte === undefined) throw new RangeError("packed traffic ends within a number");
    if (byte < 128) return byte;
    let value = byte & 127;
    let scale = 128;
    do {
      byte = bytes[this.at++];
      if (byte === undefined) throw new RangeError("packed traffic ends within a number");
      value += (byte & 127) * scale;
      scale *= 128;
    } while (byte > 127);
    return value;
  }
}

/** A difference of either sign as a number that is small where it is small. */
export function folded(difference: number): number {
  return difference < 0 ? -2 * difference - 1 : 2 * difference;
}

export function unfolded(value: number): number {
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
}
