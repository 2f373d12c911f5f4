// Which users can be served by which secret: engines count users of equal secrets as one, so of several the one with
// the lowest id keeps it.

const MOST_NAMED = 5;

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

  /** The id of the user who keeps the secret, among those who claimed it; undefined: nobody claimed it. */
  ownerOf(secret: string): number | undefined {
    return this.#owners.get(secret);
  }

  /** Equal when the same users lost. */
  get key(): string {
    return sorted(this.losers).join();
  }

  get named(): ReturnType<typeof usersNamed> {
    return usersNamed(this.losers);
  }
}

/** The first few ids, and how many more there are: never a list without end. */
export function usersNamed(ids: ReadonlySet<number>): [shown: string, more: number] {
  const list = sorted(ids);
  return [list.slice(0, MOST_NAMED).join(", "), Math.max(0, list.length - MOST_NAMED)];
}

function sorted(ids: ReadonlySet<number>): number[] {
  return [...ids].toSorted((a, b) => a - b);
}
