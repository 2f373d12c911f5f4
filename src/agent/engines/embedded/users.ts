// The directory of users who may use the engine: one for all inbounds. It finds a user in one look-up, by whatever a
// protocol sends as identity.
import { createHash, timingSafeEqual } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { isOnInbound, type PlanUser } from "../../../protocol/plan.ts";
import { ownOn, protocolOf } from "../../../lib/own-credentials.ts";
import { LiveUser, type Session } from "./live-user.ts";

const UUID = /^[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}$/;

/** The sixteen bytes of a UUID as text, one character a byte; undefined when it is none. */
export function uuidKey(uuid: string): string | undefined {
  return UUID.test(uuid) ? Buffer.from(uuid.replaceAll("-", ""), "hex").toString("latin1") : undefined;
}

/** What a Trojan client sends in place of its password. */
export function trojanKey(password: string): string {
  return createHash("sha224").update(password, "utf8").digest("hex");
}

function trojanKeyOf(user: LiveUser): string {
  return trojanKey(ownOn(user, "trojan").password ?? user.password);
}

/** The names that a user has for one protocol alone, with that protocol. */
function ownNamesOf({ by }: LiveUser): string[] {
  return Object.entries(by ?? {}).flatMap(([protocol, own]) => {
    const key = own?.uuid === undefined ? undefined : uuidKey(own.uuid.toLowerCase());
    return key === undefined ? [] : [`${protocol} ${key}`];
  });
}

/** Whether a user signs in as before. */
function isKnownAs(old: LiveUser, { uuid, password, by }: PlanUser): boolean {
  return old.uuid === uuid.toLowerCase() && old.password === password && isDeepStrictEqual(old.by, by);
}

/** Compares in constant time, by digests, so that lengths leak nothing either. */
export function secretEquals(given: string, kept: string): boolean {
  return timingSafeEqual(createHash("sha256").update(given).digest(), createHash("sha256").update(kept).digest());
}

/** Finds users by what a client of one inbound sends; of those who are not on the inbound there is nobody. */
export class UsersOnInbound {
  readonly #directory: UserDirectory;
  readonly #inboundId: number;
  readonly #type: string;

  constructor(directory: UserDirectory, inboundId: number, type: string) {
    this.#directory = directory;
    this.#inboundId = inboundId;
    this.#type = type;
  }

  byUuidKey(key: string): LiveUser | undefined {
    return this.#here(this.#directory.byUuidKey(key, this.#type));
  }

  byTrojanKey(key: string): LiveUser | undefined {
    return this.#here(this.#directory.byTrojanKey(key));
  }

  byPassword(name: string, password: string): LiveUser | undefined {
    return this.#here(this.#directory.byPassword(name, password, this.#type));
  }

  #here(user: LiveUser | undefined): LiveUser | undefined {
    return user && isOnInbound(user, this.#inboundId) ? user : undefined;
  }
}

export class UserDirectory {
  readonly #clock: () => number;
  readonly #byId = new Map<number, LiveUser>();
  readonly #byUuid = new Map<string, LiveUser>();
  /** By protocol and name: those that users have for it alone. */
  readonly #ownNames = new Map<string, LiveUser>();
  /**
   * Made by the first Trojan client: a hash for each of a hundred thousand users is worth avoiding where nobody speaks
   * Trojan.
   */
  #byTrojanKey: Map<string, LiveUser> | undefined;

  /** `clock`: milliseconds that never run backwards. */
  constructor(clock: () => number) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#byId.size;
  }

  byId(id: number): LiveUser | undefined {
    return this.#byId.get(id);
  }

  /** `key`: as `uuidKey` makes it; `type`: of the inbound. */
  byUuidKey(key: string, type: string): LiveUser | undefined {
    const common = this.#byUuid.get(key);
    // A common one is of no use where its user has another for this protocol.
    if (common && ownOn(common, type).uuid === undefined) return common;
    return this.#ownNames.get(`${protocolOf(type) ?? ""} ${key}`);
  }

  byTrojanKey(key: string): LiveUser | undefined {
    this.#byTrojanKey ??= new Map(Array.from(this.#byId.values(), (user) => [trojanKeyOf(user), user] as const));
    return this.#byTrojanKey.get(key);
  }

  /** The user whose UUID is `name`, if the password is right. An unknown name takes as long as a wrong password. */
  byPassword(name: string, password: string, type: string): LiveUser | undefined {
    const key = uuidKey(name.toLowerCase());
    const user = key === undefined ? undefined : this.byUuidKey(key, type);
    const right = secretEquals(password, user === undefined ? "" : (ownOn(user, type).password ?? user.password));
    return right && user ? user : undefined;
  }

  /**
   * Adds or changes a user; limits change live. `ended`: sessions that may not go on, of a user whose credentials are
   * no longer valid or who left the inbound.
   */
  put(user: PlanUser): { changed: boolean; ended: readonly Session[] } {
    const old = this.#byId.get(user.id);
    if (old && isKnownAs(old, user)) {
      const moved = !isDeepStrictEqual(old.inbounds, user.inbounds);
      const changed = moved || old.ipLimit !== user.ipLimit || old.speedLimit !== user.speedLimit;
      old.speedLimit = user.speedLimit;
      old.ipLimit = user.ipLimit;
      old.inbounds = user.inbounds;
      const left = (session: Session) => !isOnInbound(user, session.facts.inboundId);
      return { changed, ended: moved ? old.open.filter(left) : [] };
    }
    if (old) this.drop(user.id);
    const live = new LiveUser(user, this.#clock, old?.known ? old.seen : undefined);
    this.#byId.set(live.id, live);
    const key = uuidKey(live.uuid);
    if (key !== undefined) this.#byUuid.set(key, live);
    for (const name of ownNamesOf(live)) if (!this.#ownNames.has(name)) this.#ownNames.set(name, live);
    this.#byTrojanKey?.set(trojanKeyOf(live), live);
    return { changed: true, ended: old?.open ?? [] };
  }

  /** Forgets a user and answers it, so that its sessions can be closed. */
  drop(id: number): LiveUser | undefined {
    const user = this.#byId.get(id);
    if (!user) return undefined;
    this.#byId.delete(id);
    const key = uuidKey(user.uuid);
    if (key !== undefined && this.#byUuid.get(key) === user) this.#byUuid.delete(key);
    for (const name of ownNamesOf(user)) if (this.#ownNames.get(name) === user) this.#ownNames.delete(name);
    const trojan = this.#byTrojanKey && trojanKeyOf(user);
    if (trojan !== undefined && this.#byTrojanKey?.get(trojan) === user) this.#byTrojanKey.delete(trojan);
    return user;
  }

  ids(): IterableIterator<number> {
    return this.#byId.keys();
  }

  all(): IterableIterator<LiveUser> {
    return this.#byId.values();
  }
}
