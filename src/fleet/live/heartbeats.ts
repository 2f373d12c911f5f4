// What nodes say of themselves, as it arrives, for whoever keeps it: only of nodes whose links this process holds.
import type { LiveNode } from "./live-nodes.ts";

/** What one heartbeat said. */
export type Said = Pick<LiveNode, "figures" | "online">;

type Listener = (nodeId: number, said: Said) => void;

export class Heartbeats {
  readonly #listeners = new Set<Listener>();

  /** Calls `listener` for each heartbeat. It must be quick and must not throw. Returns the way to stop. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  tell(nodeId: number, said: Said): void {
    for (const listener of this.#listeners) listener(nodeId, said);
  }
}
