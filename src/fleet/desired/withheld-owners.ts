// Owners whose accounts are withheld: no node serves them, whatever their rows say. The owners are read, and kept right
// by what commits say of them, also of those that commit while they are being read.
import type { RowChange } from "../../db/index.ts";

export interface WithheldPorts {
  /** Owners whose accounts are withheld now. */
  readonly withheld: () => Promise<readonly number[]>;
  /** What a table change says of an owner; undefined for changes of other tables. */
  readonly ownerOf: (change: RowChange) => { readonly id: number; readonly withheld: boolean } | undefined;
}

export class WithheldOwners {
  readonly #ports: WithheldPorts;
  #owners = new Set<number>();
  /** What commits said of owners while they were being read. */
  #told: Map<number, boolean> | undefined;

  constructor(ports: WithheldPorts) {
    this.#ports = ports;
  }

  has(owner: number): boolean {
    return this.#owners.has(owner);
  }

  async read(): Promise<void> {
    const told = (this.#told = new Map<number, boolean>());
    const owners = new Set(await this.#ports.withheld());
    for (const [id, is] of told) {
      if (is) owners.add(id);
      else owners.delete(id);
    }
    this.#told = undefined;
    this.#owners = owners;
  }

  /** Takes over a change of a row. Returns the owner whose accounts must be looked at again. */
  take(change: RowChange): number | undefined {
    const owner = this.#ports.ownerOf(change);
    if (!owner) return undefined;
    const { id, withheld } = owner;
    this.#told?.set(id, withheld);
    if (this.#owners.has(id) === withheld) return undefined;
    if (withheld) this.#owners.add(id);
    else this.#owners.delete(id);
    return id;
  }
}
