// Sums by id, for up to millions of ids: in blocks, since neighbours are summed together.
import { added } from "../lib/exact.ts";

const BLOCK = 4096;

interface Block {
  readonly up: Float64Array<ArrayBuffer>;
  readonly down: Float64Array<ArrayBuffer>;
}

export interface Sum {
  readonly id: number;
  readonly up: number;
  readonly down: number;
}

export class Tally {
  readonly #blocks = new Map<number, Block>();
  #last: { readonly number: number; readonly block: Block } | undefined;

  add(id: number, up: number, down: number): void {
    const number = Math.floor(id / BLOCK);
    const block = this.#last?.number === number ? this.#last.block : this.#blockOf(number);
    const at = id % BLOCK;
    block.up[at] = added(block.up[at] ?? 0, up);
    block.down[at] = added(block.down[at] ?? 0, down);
  }

  /** Calls `visit` for everybody who moved something, in the order of ids. */
  each(visit: (id: number, up: number, down: number) => void): void {
    for (const number of [...this.#blocks.keys()].toSorted((a, b) => a - b)) {
      const { up, down } = this.#blockOf(number);
      for (let at = 0; at < BLOCK; at++) {
        const [more, most] = [up[at] ?? 0, down[at] ?? 0];
        if (more + most > 0) visit(number * BLOCK + at, more, most);
      }
    }
  }

  /** The heaviest, and what all others moved. Of equals the one with the smaller id comes first. */
  heaviest(limit: number): { readonly top: Sum[]; readonly rest: Rest } {
    const top: Sum[] = [];
    const rest = { count: 0, up: 0, down: 0 };
    const leave = ({ up, down }: Sum) => {
      rest.count++;
      rest.up = added(rest.up, up);
      rest.down = added(rest.down, down);
    };
    let least = -1;
    this.each((id, up, down) => {
      if (top.length === limit && up + down <= least) return leave({ id, up, down });
      let place = top.length;
      for (let before = top[place - 1]; before && before.up + before.down < up + down; before = top[place - 1]) place--;
      top.splice(place, 0, { id, up, down });
      if (top.length > limit) leave(top.pop() ?? { id, up, down });
      const last = top.at(-1);
      least = top.length === limit && last ? last.up + last.down : -1;
    });
    return { top, rest };
  }

  #blockOf(number: number): Block {
    let block = this.#blocks.get(number);
    if (!block) this.#blocks.set(number, (block = { up: new Float64Array(BLOCK), down: new Float64Array(BLOCK) }));
    this.#last = { number, block };
    return block;
  }
}

export interface Rest {
  count: number;
  up: number;
  down: number;
}
