// What was refused of a node in one transaction, by account: the largest, and the sum of the rest. It takes the same
// little room however much is refused.
import { added } from "../../lib/exact.ts";
import { RefusalCode } from "../records/usage-refusal.schema.ts";

/** Accounts that are kept; what is beyond them is one row for each code, of no account. */
const KEPT = 1000;
/** When there are so many, those beyond are let go. */
const ROOM = 4 * KEPT;

export interface Refused {
  readonly code: RefusalCode;
  /** 0: further accounts, together. */
  readonly userId: number;
  up: number;
  down: number;
}

export class Refusals {
  readonly nodeId: number;
  readonly #sums = new Map<RefusalCode, Map<number, Refused>>();
  readonly #rest = new Map<RefusalCode, Refused>();
  #size = 0;
  /**
   * Less than this is not kept: an account whose usage comes in many small rows may be among the rest, with all of its
   * bytes.
   */
  #least = 0;

  constructor(nodeId: number) {
    this.nodeId = nodeId;
  }

  get none(): boolean {
    return this.#size === 0;
  }

  /** Always false: the row does not count. */
  add(code: RefusalCode, userId: number, up: number, down: number): false {
    const sum = this.#of(code).get(userId);
    if (sum) addTo(sum, up, down);
    else if (up + down < this.#least) this.#addToRest(code, up, down);
    else {
      this.#of(code).set(userId, { code, userId, up, down });
      if (++this.#size >= ROOM) this.#shrink();
    }
    return false;
  }

  /** The largest first, those of no account last. */
  rows(): Refused[] {
    this.#shrink();
    return [...this.#sorted(), ...this.#rest.values()];
  }

  #of(code: RefusalCode): Map<number, Refused> {
    let sums = this.#sums.get(code);
    if (!sums) this.#sums.set(code, (sums = new Map()));
    return sums;
  }

  #sorted(): Refused[] {
    return [...this.#sums.values()]
      .flatMap((sums) => [...sums.values()])
      .toSorted((a, b) => b.up + b.down - (a.up + a.down));
  }

  #shrink(): void {
    if (this.#size <= KEPT) return;
    const sorted = this.#sorted();
    for (const { code, userId, up, down } of sorted.slice(KEPT)) {
      this.#of(code).delete(userId);
      this.#addToRest(code, up, down);
    }
    this.#size = KEPT;
    const last = sorted[KEPT - 1];
    this.#least = last ? last.up + last.down : 0;
  }

  #addToRest(code: RefusalCode, up: number, down: number): void {
    const sum = this.#rest.get(code);
    if (sum) addTo(sum, up, down);
    else this.#rest.set(code, { code, userId: 0, up, down });
  }
}

function addTo(sum: Refused, up: number, down: number): void {
  sum.up = added(sum.up, up);
  sum.down = added(sum.down, down);
}
