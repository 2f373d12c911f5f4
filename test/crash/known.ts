// What the test knows of the panel's records from answers alone: what may be named in the next requests, and what must
// be found again after a kill.
import type { Answer } from "./client.ts";
import type { Request } from "./requests.ts";

export const COLLECTIONS = [
  "users",
  "inbounds",
  "fronts",
  "outbounds",
  "templates",
  "nodes",
  "webhooks",
  "tokens",
  "settings",
] as const;
export type Collection = (typeof COLLECTIONS)[number];

/** A record as it was answered last. */
export interface Seen {
  /** Moves with every write; 0 for records that are never changed. */
  readonly version: number;
  readonly body: Readonly<Record<string, unknown>>;
}

export class Known {
  readonly #records = new Map<Collection, Map<string, Seen>>(COLLECTIONS.map((collection) => [collection, new Map()]));
  /** `users/7`: somebody asked for its end, whatever came of it. */
  readonly #doomed = new Set<string>();
  readonly #deleted = new Set<string>();
  /** Every id that an answer to a create named. */
  readonly #made = new Set<string>();
  /** Markers of writes by what became of their requests. */
  readonly answered = new Set<string>();
  readonly unanswered = new Set<string>();
  readonly refused = new Set<string>();
  /** `users/7 renew`: how often verbs that leave no marker were answered. */
  readonly verbs = new Map<string, number>();
  /** Requests without a marker of which nothing is known. */
  readonly #lost = new Set<Request>();

  of(collection: Collection): ReadonlyMap<string, Seen> {
    return this.#records.get(collection) ?? new Map();
  }

  isDoomed(collection: Collection, id: string): boolean {
    return this.#doomed.has(`${collection}/${id}`);
  }

  get deleted(): ReadonlySet<string> {
    return this.#deleted;
  }

  /** By verb, as in `verbs`: how many may have been carried out without an answer. */
  get lost(): ReadonlyMap<string, number> {
    const lost = new Map<string, number>();
    for (const { collection, id, verb } of this.#lost) {
      const key = `${collection}/${id} ${verb}`;
      lost.set(key, (lost.get(key) ?? 0) + 1);
    }
    return lost;
  }

  /** Ids that may be named: not those that are being deleted. */
  ids(collection: Collection): number[] {
    return [...this.of(collection).keys()].filter((id) => !this.isDoomed(collection, id)).map(Number);
  }

  /** To be told before a request is sent. */
  sending({ collection, id, deletes }: Request): void {
    if (deletes) this.#doomed.add(`${collection}/${id}`);
  }

  /** To be told of every request that was sent. Throws when an answer contradicts one before. */
  heard(request: Request, answer: Answer | undefined): void {
    const { marker } = request;
    if (answer === undefined) {
      if (marker !== undefined) this.unanswered.add(marker);
      else this.#lost.add(request);
      return;
    }
    if (answer.status >= 500)
      throw new Error(`${request.method} ${request.path} was answered with ${answer.status} ${answer.text}`);
    this.#lost.delete(request);
    if (marker !== undefined) {
      this.unanswered.delete(marker);
      (answer.status === 200 ? this.answered : this.refused).add(marker);
    }
    if (answer.status !== 200) {
      // Still in use somewhere: it stays as it is.
      if (request.deletes && answer.status === 409) this.#doomed.delete(`${request.collection}/${request.id}`);
      return;
    }
    this.#done(request, JSON.parse(answer.text) as Record<string, unknown>);
  }

  #done(request: Request, body: Record<string, unknown>): void {
    const { collection, verb } = request;
    if (request.deletes) {
      const name = `${collection}/${request.id}`;
      this.#deleted.add(name);
      this.#records.get(collection)?.delete(String(request.id));
      this.#verb(name, "delete");
      return;
    }
    if (verb === "ping") {
      this.#verb(`${collection}/${request.id}`, verb);
      return;
    }
    const id = String(collection === "settings" ? body["key"] : body["id"]);
    const name = `${collection}/${id}`;
    if (verb === "create") {
      if (this.#made.has(name)) throw new Error(`${name} was made twice`);
      this.#made.add(name);
    }
    if (request.marker === undefined) this.#verb(name, verb);
    if (this.#deleted.has(name)) return;
    const version = typeof body["updatedAt"] === "number" ? body["updatedAt"] : 0;
    const known = this.of(collection).get(id);
    if (known === undefined || version >= known.version) this.#records.get(collection)?.set(id, { version, body });
  }

  #verb(name: string, verb: string): void {
    const key = `${name} ${verb}`;
    this.verbs.set(key, (this.verbs.get(key) ?? 0) + 1);
  }
}
