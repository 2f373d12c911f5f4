// One running v2ray process: what it has open, whom it carries, and the live changes to both.
import { join } from "node:path";
import { parseEngineUserName, type PlanUser } from "../../../protocol/plan.ts";
import type { ByteCount } from "../process/counter-tally.ts";
import { EngineApi, inParallel } from "../process/grpc.ts";
import type { ProcessIdentity } from "../process/identity.ts";
import { UNKNOWN, UserJournal } from "../process/user-journal.ts";
import { type LiveAccount, liveAccount, type Screening } from "./accounts.ts";
import { convertInbound } from "./binary.ts";
import { engineTags, inboundConfig, type PopulatedInbound } from "./compile.ts";
import type { EngineRecord, OpenInbound } from "./state.ts";

/** What an exchange of inbounds came to. */
export interface InboundChange {
  readonly changed: boolean;
  readonly warnings: readonly string[];
}

export interface Operation {
  readonly tag: string;
  readonly email: string;
  /** Whom to add; absent: only remove. */
  readonly add?: LiveAccount;
  readonly remove: boolean;
  /** What the user has open was opened with a secret that is void now. */
  readonly cut: boolean;
}

export function journalPath(directory: string, engineId: string): string {
  return join(directory, `users.${engineId}`);
}

/** What is open in an engine that was started with these inbounds under their first names. */
export function openInbound({ inbound, digest }: PopulatedInbound, engineTag: string): OpenInbound {
  const { id, tag, port, fronted, accounts } = inbound;
  return { id, tag, engineTag, port, fronted, digest, anonymous: accounts.protocol === "socks" || accounts.protocol === "http" };
}

export class RunningEngine {
  readonly identity: ProcessIdentity;
  readonly #api: EngineApi;
  readonly #journal: UserJournal;
  #record: EngineRecord;
  /** Stops whatever watches this process. Set by the driver. */
  unwatch: () => void = () => undefined;

  constructor(record: EngineRecord, journal: UserJournal) {
    this.#record = record;
    this.#journal = journal;
    this.identity = { pid: record.pid, startTime: record.startTime };
    this.#api = new EngineApi(`127.0.0.1:${record.apiPort}`, "v2ray.core");
  }

  get record(): EngineRecord {
    return this.#record;
  }

  get inbounds(): readonly OpenInbound[] {
    return this.#record.inbounds;
  }

  async ping(timeoutMs: number): Promise<void> {
    await this.#api.ping(timeoutMs);
  }

  /** Bytes by engine user name since this process started. */
  async counters(timeoutMs?: number): Promise<Map<string, ByteCount>> {
    const counters = new Map<string, ByteCount>();
    for (const [name, count] of await this.#api.userCounters(timeoutMs)) {
      const user = this.#journal.resolve(name);
      if (!parseEngineUserName(user)) continue;
      const sum = counters.get(user);
      counters.set(user, sum ? { up: sum.up + count.up, down: sum.down + count.down } : count);
    }
    return counters;
  }

  /** Makes the open inbounds those given: new versions open under their other name before the old ones close, so no connection is refused. */
  async changeInbounds(wanted: readonly PopulatedInbound[], save: () => void): Promise<InboundChange> {
    const warnings: string[] = [];
    let changed = false;
    const byId = new Map(wanted.map((populated) => [populated.inbound.id, populated]));
    // Ports of dropped inbounds must be free before another inbound takes them.
    for (const open of this.inbounds.filter((inbound) => !byId.has(inbound.id))) {
      await this.#close(open, save);
      changed = true;
    }
    for (const populated of wanted) {
      const open = this.inbounds.find((inbound) => inbound.id === populated.inbound.id);
      if (open?.digest === populated.digest) {
        if (open.tag !== populated.inbound.tag) this.#replaceRecord(open, { ...open, tag: populated.inbound.tag }, save);
        continue;
      }
      changed = true;
      try {
        await this.#open(populated, open, save);
      } catch (error) {
        warnings.push(`inbound ${populated.inbound.tag}: ${error instanceof Error ? error.message : String(error)}`);
      }
      if (open) await this.#close(open, save);
    }
    return { changed, warnings };
  }

  async #open(populated: PopulatedInbound, replaced: OpenInbound | undefined, save: () => void): Promise<void> {
    const [first, second] = engineTags(populated.inbound.id);
    const tag = replaced?.engineTag === first ? second : first;
    const bytes = await convertInbound(inboundConfig(populated, tag));
    // The tag may be open although we do not know it: an agent died between opening and writing it down. Its listener would leak.
    await this.#api.removeInbound(tag);
    this.#journal.alias(populated.aliases);
    this.#journal.begin(populated.accounts.keys());
    await this.#api.addInbound(bytes);
    this.#journal.commit([...populated.accounts].map(([email, { digest }]) => [email, digest]));
    this.#record = { ...this.#record, inbounds: [...this.inbounds, openInbound(populated, tag)] };
    save();
  }

  async #close(open: OpenInbound, save: () => void): Promise<void> {
    await this.#api.removeInbound(open.engineTag);
    this.#record = { ...this.#record, inbounds: this.inbounds.filter((inbound) => inbound !== open) };
    if (!this.inbounds.some((inbound) => inbound.id === open.id))
      this.#journal.commit(this.#namesOn(open.id).map((name) => [name, undefined]));
    save();
  }

  #replaceRecord(open: OpenInbound, by: OpenInbound, save: () => void): void {
    this.#record = { ...this.#record, inbounds: this.inbounds.map((inbound) => (inbound === open ? by : inbound)) };
    save();
  }

  #namesOn(inboundId: number): string[] {
    return [...this.#journal.users.keys()].filter((name) => parseEngineUserName(name)?.inboundId === inboundId);
  }

  /** Digest of the account by engine user name, as far as known. */
  get carried(): ReadonlyMap<string, string> {
    return this.#journal.users;
  }

  /** Closes every listener; running connections go on. */
  async closeAll(): Promise<void> {
    for (const open of this.inbounds) await this.#api.removeInbound(open.engineTag);
  }

  markDraining(drainUntil: number): void {
    this.#record = { ...this.#record, drainUntil };
  }

  markFinal(final: NonNullable<EngineRecord["final"]>): void {
    this.#record = { ...this.#record, final };
  }

  /** How many operations would bring the engine from whom it carries to whom it shall carry. */
  plannedOperations(wanted: readonly PopulatedInbound[]): Operation[] {
    const operations: Operation[] = [];
    const accounts = new Map<string, { tag: string; account: LiveAccount }>();
    for (const { inbound, accounts: users } of wanted) {
      const tag = this.inbounds.find((open) => open.id === inbound.id)?.engineTag;
      if (tag !== undefined) for (const [email, account] of users) accounts.set(email, { tag, account });
    }
    for (const email of this.#journal.users.keys()) {
      const tag = this.#tagOf(email);
      if (!accounts.has(email) && tag !== undefined) operations.push({ tag, email, remove: true, cut: true });
    }
    for (const [email, { tag, account }] of accounts) {
      const carried = this.#journal.users.get(email);
      if (carried !== account.digest)
        operations.push({ tag, email, add: account, remove: carried !== undefined, cut: carried !== undefined && carried !== UNKNOWN });
    }
    return operations;
  }

  /** The operations that take users off this engine. */
  removals(gone: (userId: number) => boolean): Operation[] {
    return [...this.#journal.users.keys()].flatMap((email) => {
      const userId = parseEngineUserName(email)?.userId;
      const tag = this.#tagOf(email);
      return userId !== undefined && tag !== undefined && gone(userId) ? [{ tag, email, remove: true, cut: true }] : [];
    });
  }

  /** The operations for some users alone. */
  operationsFor(
    wanted: readonly PopulatedInbound["inbound"][],
    put: readonly PlanUser[],
    drop: readonly number[],
    screening: Screening,
  ): Operation[] {
    const operations: Operation[] = [];
    for (const inbound of wanted) {
      const tag = this.inbounds.find((open) => open.id === inbound.id)?.engineTag;
      if (inbound.accounts.kind !== "live" || tag === undefined) continue;
      for (const id of drop) {
        const email = `${id}.${inbound.id}`;
        if (this.#journal.users.has(email)) operations.push({ tag, email, remove: true, cut: true });
      }
      for (const user of put) {
        const account = liveAccount(inbound.accounts.protocol, inbound.id, user, screening);
        const email = account?.email ?? `${user.id}.${inbound.id}`;
        const carried = this.#journal.users.get(email);
        if (account && carried !== account.digest)
          operations.push({ tag, email, add: account, remove: carried !== undefined, cut: carried !== undefined && carried !== UNKNOWN });
        else if (!account && carried !== undefined) operations.push({ tag, email, remove: true, cut: true });
      }
    }
    return operations;
  }

  #tagOf(email: string): string | undefined {
    const id = parseEngineUserName(email)?.inboundId;
    return this.inbounds.find((open) => open.id === id)?.engineTag;
  }

  /** Carries operations out, removals first: whoever lost his access must be out before newcomers are let in. */
  async perform(operations: readonly Operation[]): Promise<void> {
    if (operations.length === 0) return;
    this.#journal.begin(operations.map(({ email }) => email));
    const removals = operations.filter((operation) => operation.remove);
    await inParallel(removals, async ({ tag, email }) => this.#api.removeUser(tag, email));
    const gone = removals.filter((operation) => !operation.add);
    this.#journal.commit(gone.map(({ email }) => [email, undefined]));
    await inParallel(operations, async ({ tag, email, add }) => {
      if (add) await this.#api.addUser(tag, email, add.account);
    });
    this.#journal.commit(operations.flatMap(({ email, add }): [string, string][] => (add ? [[email, add.digest]] : [])));
  }

  /** Lets go of the process: it runs on. */
  release(): void {
    this.unwatch();
    this.#api.close();
  }

  forget(): void {
    this.release();
    this.#journal.remove();
  }
}
