// Which number belongs to a text, of very many texts in little memory: a digest of 64 bits for each, none of the text.
import { hash } from "node:crypto";

const FIRST = 1024;
/** Share of the slots that may be taken before the table doubles. */
const FULL = 0.75;

export class DigestTable {
  readonly #most: number;
  #size = 0;
  /** 0: free. */
  #digests = new BigUint64Array(FIRST);
  #numbers = new Float64Array(FIRST);

  /** `most`: further texts are not kept. */
  constructor(most: number) {
    this.#most = most;
  }

  get size(): number {
    return this.#size;
  }

  get(text: string): number | undefined {
    const place = this.#placeOf(digestOf(text));
    return this.#digests[place] === 0n ? undefined : this.#numbers[place];
  }

  set(text: string, number: number): void {
    const digest = digestOf(text);
    let place = this.#placeOf(digest);
    if (this.#digests[place] === 0n) {
      if (this.#size >= this.#most) return;
      if (++this.#size > this.#digests.length * FULL) {
        this.#grow();
        place = this.#placeOf(digest);
      }
      this.#digests[place] = digest;
    }
    this.#numbers[place] = number;
  }

  /** Where a digest is, or would be. */
  #placeOf(digest: bigint): number {
    const last = this.#digests.length - 1;
    let place = Number(digest & 0xffff_ffffn) & last;
    for (let other = this.#digests[place]; other !== 0n && other !== digest; other = this.#digests[place])
      place = (place + 1) & last;
    return place;
  }

  #grow(): void {
    const [digests, numbers] = [this.#digests, this.#numbers];
    this.#digests = new BigUint64Array(digests.length * 2);
    this.#numbers = new Float64Array(digests.length * 2);
    for (const [from, digest] of digests.entries()) {
      if (digest === 0n) continue;
      const place = this.#placeOf(digest);
      this.#digests[place] = digest;
      this.#numbers[place] = numbers[from] ?? 0;
    }
  }
}

function digestOf(text: string): bigint {
  return hash("sha256", text, "buffer").readBigUInt64LE() || 1n;
}
