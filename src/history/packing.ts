// Sums of bytes in few bytes: groups in the order of their ids, in each group its members in theirs, ids as
// differences. A group says how long it is, so that whoever looks for one walks over the others.
//
//   group:  id (difference), bytes of what follows, members
//   member: id (difference), up, down
import { added } from "../lib/exact.ts";
import { ByteReader, ByteWriter } from "./varints.ts";

/** Builds packed sums; groups and members must come in order, each once. */
export class Packer {
  readonly #all = new ByteWriter();
  readonly #members = new ByteWriter(256);
  #group = 0;
  #written = 0;
  #member = 0;

  add(group: number, member: number, up: number, down: number): void {
    if (group !== this.#group) this.#close(group);
    this.#members.put(member - this.#member);
    this.#members.put(up);
    this.#members.put(down);
    this.#member = member;
  }

  bytes(): Uint8Array<ArrayBuffer> {
    this.#close(this.#group);
    return this.#all.bytes();
  }

  #close(next: number): void {
    if (this.#members.length > 0) {
      this.#all.put(this.#group - this.#written);
      this.#all.put(this.#members.length);
      this.#all.append(this.#members);
      this.#members.clear();
      this.#written = this.#group;
    }
    this.#group = next;
    this.#member = 0;
  }
}

/** Walks through packed sums. `group` and `member` are those of the last `next()` that was true. */
export class Unpacker {
  readonly #reader: ByteReader;
  readonly #length: number;
  #groupEnd = 0;
  group = 0;
  member = 0;
  up = 0;
  down = 0;

  constructor(bytes: Uint8Array) {
    this.#reader = new ByteReader(bytes);
    this.#length = bytes.length;
  }

  next(): boolean {
    if (this.#reader.at >= this.#groupEnd && !this.#nextGroup()) return false;
    this.member += this.#reader.take();
    this.up = this.#reader.take();
    this.down = this.#reader.take();
    return true;
  }

  #nextGroup(): boolean {
    if (this.#reader.at >= this.#length) return false;
    this.group += this.#reader.take();
    const length = this.#reader.take();
    this.#groupEnd = this.#reader.at + length;
    this.member = 0;
    return true;
  }
}

type Visit = (group: number, member: number, up: number, down: number) => void;
type Ids = ReadonlySet<number> | undefined;

/**
 * Calls `visit` for all members, or those of some groups or with some ids. Questions add up millions of them: so it
 * reads numbers by itself, in variables of its own.
 */
export function eachMember(bytes: Uint8Array, groups: Ids, members: Ids, visit: Visit): void {
  let at = 0;
  const take = (): number => {
    let byte = bytes[at++] ?? 0;
    if (byte < 128) return byte;
    let value = byte & 127;
    for (let shift = 7; shift < 28; shift += 7) {
      byte = bytes[at++] ?? 0;
      value |= (byte & 127) << shift;
      if (byte < 128) return value;
    }
    for (let scale = 2 ** 28; byte > 127; scale *= 128) {
      byte = bytes[at++] ?? 0;
      value += (byte & 127) * scale;
    }
    return value;
  };
  for (let group = 0; at < bytes.length;) {
    group += take();
    const length = take();
    const end = at + length;
    if (groups && !groups.has(group)) {
      at = end;
      continue;
    }
    // `take` moves it on.
    // oxlint-disable-next-line no-unmodified-loop-condition
    for (let member = 0; at < end;) {
      member += take();
      const up = take();
      const down = take();
      if (!members || members.has(member)) visit(group, member, up, down);
    }
  }
  if (at > bytes.length) throw new RangeError("packed traffic ends within a number");
}

/** Both together: what is in both is added up. */
export function merged(one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> {
  const [a, b, packer] = [new Unpacker(one), new Unpacker(other), new Packer()];
  let [hasA, hasB] = [a.next(), b.next()];
  while (hasA || hasB) {
    const order = !hasA ? 1 : !hasB ? -1 : a.group - b.group || a.member - b.member;
    if (order < 0) packer.add(a.group, a.member, a.up, a.down);
    else if (order > 0) packer.add(b.group, b.member, b.up, b.down);
    else packer.add(a.group, a.member, added(a.up, b.up), added(a.down, b.down));
    if (order <= 0) hasA = a.next();
    if (order >= 0) hasB = b.next();
  }
  return packer.bytes();
}
