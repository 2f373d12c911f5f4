// Which of the credentials that users have for one protocol alone are of use: one that somebody else is known by on the
// same protocol would let engines count both as one.
import { OWN_PROTOCOLS, ownOn, type Secret } from "../../../lib/own-credentials.ts";
import type { PlanUser } from "../../../protocol/plan.ts";

const SECRETS = ["uuid", "password", "ss16", "ss32"] as const;

/** What an engine makes of secrets. */
export interface SecretRules {
  /** As the engine compares it on inbounds of this type; undefined: it is of no use. */
  readonly known: (secret: Secret, value: string, type: string) => string | undefined;
  /** The id of the user whose common secret equals `known`, a secret as the engine compares it; undefined: nobody. */
  readonly commonOwner: (secret: Secret, known: string, type: string) => number | undefined;
}

/** The users whose own secret is of no use, for a type of inbound. */
export class OwnSecrets {
  readonly #lost = new Set<string>();

  constructor(users: ReadonlyMap<number, PlanUser>, { known, commonOwner }: SecretRules) {
    const owners = new Map<string, number>();
    for (const user of users.values()) {
      if (user.by === undefined) continue;
      for (const type of OWN_PROTOCOLS) {
        const own = ownOn(user, type, user.by[type]?.method);
        for (const secret of SECRETS) {
          const value = own[secret];
          if (value === undefined) continue;
          const name = known(secret, value, type);
          const key = `${type} ${secret} ${name ?? ""}`;
          const other = name === undefined ? undefined : (owners.get(key) ?? commonOwner(secret, name, type));
          // Several users may have equal secrets: a user who has it as the common one keeps it, else the first user.
          if (name === undefined || (other !== undefined && other !== user.id))
            this.#lost.add(lostKey(user.id, type, secret));
          else owners.set(key, user.id);
        }
      }
    }
  }

  /** Whether a user cannot be served by what they have for this type alone. */
  lost(userId: number, type: string, secret: Secret): boolean {
    return this.#lost.size > 0 && this.#lost.has(lostKey(userId, type === "mixed" ? "socks" : type, secret));
  }

  /** Equal when the same ones are of no use. */
  get key(): string {
    return [...this.#lost].toSorted().join();
  }
}

function lostKey(userId: number, type: string, secret: Secret): string {
  return `${userId} ${type} ${secret}`;
}
