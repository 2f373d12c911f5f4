// Selects what changes the kernel's network for this process: the process itself, or a net keeper.
import type { NetAdmin } from "./contract.ts";
import { KeeperNetAdmin } from "./client.ts";
import { ownNetAdmin } from "./own.ts";

let current: NetAdmin = ownNetAdmin;

/** A fact of the process, as its rights are. */
export function netAdmin(): NetAdmin {
  return current;
}

/** From now on this process asks the keeper that listens on this socket. */
export function useNetKeeper(socket: string): void {
  current = new KeeperNetAdmin(socket);
}
