// Which users can be served by which secret: engines count users of equal secrets as one, so of several the one with
// the lowest id keeps it.

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** Collects secrets of one kind; afterwards `losers` are the users who cannot be served by theirs. */
export class Claims {
  readonly losers = new Set<number>();
  readonly #owners = new Map<string, number>();

  /** `undefined`: the user has no usable secret. */
  claim(secret: string | undefined, userId: number): void {
    if (secret === undefined) {
      this.losers.add(userId);
      return;
    }
    const owner = this.#owners.get(secret);
    if (owner === undefined || userId < owner) this.#owners.set(secret, userId);
    if (owner !== undefined) this.losers.add(Math.max(userId, owner));
  }

  /** Equal when the same users lost. */
  get key(): string {
    return sorted(this.losers).join();
  }

  /** `user 7`, `users 7, 9 and 3 more`: never a list without end. */
  get named(): string {
    return usersNamed(this.losers);
  }
}

export function usersNamed(ids: ReadonlySet<number>): string {
  const list = sorted(ids);
  const shown = list.slice(0, 5).join(", ");
  return `${list.length === 1 ? "user" : "users"} ${shown}${list.length > 5 ? ` and ${list.length - 5} more` : ""}`;
}

function sorted(ids: ReadonlySet<number>): number[] {
  return [...ids].toSorted((a, b) => a - b);
}
