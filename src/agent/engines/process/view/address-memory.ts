// Source addresses of the last ten minutes, by engine user.
import { parseEngineUserName } from "../../../../protocol/plan.ts";
import type { SeenAddress } from "../../contract/driver.ts";

const MEMORY_SECONDS = 600;

export class AddressMemory {
  /** Unix seconds of the last use by engine user (`<user>.<inbound>`) and address. */
  readonly #seen = new Map<string, Map<string, number>>();

  /** An address in use at a time, in Unix seconds. Never goes back in time. */
  touch(name: string, address: string, at: number): void {
    let seen = this.#seen.get(name);
    if (!seen) this.#seen.set(name, (seen = new Map()));
    seen.set(address, Math.max(at, seen.get(address) ?? 0));
  }

  /** Lists the addresses of one user, or of all (`userId` undefined). Forgets addresses that are too old. */
  list(userId: number | undefined, now: number): SeenAddress[] {
    const found: SeenAddress[] = [];
    for (const [name, addresses] of this.#seen) {
      const user = parseEngineUserName(name);
      for (const [address, lastSeenAt] of addresses) {
        if (now - lastSeenAt > MEMORY_SECONDS) addresses.delete(address);
        else if (user && (userId === undefined || user.userId === userId)) found.push({ ...user, address, lastSeenAt });
      }
      if (addresses.size === 0) this.#seen.delete(name);
    }
    return found;
  }

  snapshot(): [string, string, number][] {
    return [...this.#seen].flatMap(([name, seen]) =>
      [...seen].map(([address, at]): [string, string, number] => [name, address, at]),
    );
  }
}
