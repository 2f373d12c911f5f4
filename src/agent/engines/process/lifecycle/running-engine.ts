// One running engine process: its open inbounds, its users, and the live changes to both.
import { join } from "node:path";
import { parseEngineUserName } from "../../../../protocol/plan.ts";
import type { ByteCount } from "../state/counter-tally.ts";
import { type Dialect, type EngineControl, engineTags, type Json, type PopulatedInbound } from "../dialect.ts";
import { inParallel } from "../api/grpc.ts";
import type { Place } from "../ports/public-ports.ts";
import type { ProcessIdentity } from "./identity.ts";
import type { EngineRecord, OpenInbound } from "../state/driver-state.ts";
import type { Operation } from "./user-operations.ts";
import type { UserJournal } from "../state/user-journal.ts";
import { type AgentNotice, noticeOf, itemPlace } from "../../../notices.ts";
import { reason } from "../../../../protocol/notices/index.ts";

/** What the owner of the process does while inbounds are exchanged. */
export interface InboundExchange {
  place(populated: PopulatedInbound): Promise<Place>;
  /** Whether an open inbound can stay as it is. */
  settled(open: OpenInbound, populated: PopulatedInbound): boolean;
  /** Called after every change of what is open: writes it down. */
  save(): void;
  /** Called after a mapped inbound was opened again: points the port map at it. */
  map(): Promise<void>;
  /** Unix milliseconds until which a replaced version behind the port map may finish its connections. */
  retireAt(): number;
}

/** What an exchange of inbounds came to. */
export interface InboundChange {
  readonly changed: boolean;
  readonly warnings: readonly AgentNotice[];
}

export function journalPath(directory: string, engineId: string): string {
  return join(directory, `users.${engineId}`);
}

/** What is open in an engine once it listens so. */
export function openInbound(
  { inbound, digest }: PopulatedInbound,
  engineTag: string,
  inner: number | undefined,
): OpenInbound {
  const { id, tag, listen, port, networks, fronted, trusting = false, anonymous } = inbound;
  return {
    id,
    tag,
    engineTag,
    listen,
    port,
    ...(inner !== undefined && { inner }),
    networks,
    fronted,
    ...(trusting && { trusting }),
    digest,
    anonymous,
  };
}

export class RunningEngine {
  readonly identity: ProcessIdentity;
  /** Another after `giveUp`. */
  control: EngineControl;
  readonly #dialect: Dialect;
  readonly journal: UserJournal;
  #record: EngineRecord;
  /** The frame that it runs, as far as this agent knows: an adopted one is only known by its digest. */
  #frame: Json | undefined;
  /** Stops whatever watches this process. Set by the driver. */
  unwatch: () => void = () => undefined;

  constructor(dialect: Dialect, record: EngineRecord, journal: UserJournal, frame: Json | undefined) {
    this.#dialect = dialect;
    this.#record = record;
    this.journal = journal;
    this.#frame = frame;
    this.identity = { pid: record.pid, startTime: record.startTime };
    this.control = dialect.connect(record.endpoint);
  }

  get record(): EngineRecord {
    return this.#record;
  }

  /** The current inbounds. */
  get inbounds(): readonly OpenInbound[] {
    return this.#record.inbounds.filter(({ retireAt }) => retireAt === undefined);
  }

  /** Versions of inbounds that newer ones replaced, and that finish their connections. */
  get retired(): readonly OpenInbound[] {
    return this.#record.inbounds.filter(({ retireAt }) => retireAt !== undefined);
  }

  /** Digest of the account by engine user name, as far as known. */
  get carried(): ReadonlyMap<string, string> {
    return this.journal.users;
  }

  /** The engine user behind a name that the engine logs or counts under. */
  resolve(name: string): string {
    return this.journal.resolve(name);
  }

  async ping(timeoutMs: number): Promise<void> {
    await this.control.ping(timeoutMs);
  }

  /** Bytes by engine user name since this process started. */
  async counters(timeoutMs?: number): Promise<Map<string, ByteCount>> {
    const counters = new Map<string, ByteCount>();
    for (const [name, count] of await this.control.userCounters(timeoutMs)) {
      const user = this.journal.resolve(name);
      if (!parseEngineUserName(user)) continue;
      const sum = counters.get(user);
      counters.set(user, sum ? { up: sum.up + count.up, down: sum.down + count.down } : count);
    }
    return counters;
  }

  /** Whether the frame can be changed live to another of this digest. */
  canReach(coreDigest: string): boolean {
    return this.#dialect.abilities.hotFrame && this.#frame !== undefined && this.#record.coreDigest === coreDigest;
  }

  /** Tells what the frame of an adopted engine is, once a compiled one has its digest. */
  recognise(frameDigest: string, frame: Json): void {
    if (frameDigest === this.#record.frameDigest) this.#frame ??= frame;
  }

  /**
   * Outbounds and rules become those of another frame. Write-ahead: after a failure or an agent's death midway nobody
   * takes the frame for either.
   */
  async changeFrame(frameDigest: string, frame: Json, save: () => void): Promise<void> {
    const before = this.#frame;
    if (before === undefined) throw new Error("the engine's frame is not known");
    this.#record = { ...this.#record, frameDigest: "" };
    this.#frame = undefined;
    save();
    await this.control.changeFrame(before, frame);
    this.#record = { ...this.#record, frameDigest };
    this.#frame = frame;
    save();
  }

  /**
   * Makes the open inbounds those given: new versions open under their other name before the old ones close, so no
   * connection is refused.
   */
  async changeInbounds(wanted: readonly PopulatedInbound[], exchange: InboundExchange): Promise<InboundChange> {
    const warnings: AgentNotice[] = [];
    let changed = false;
    const byId = new Map(wanted.map((populated) => [populated.inbound.id, populated]));
    // Ports of dropped inbounds must be free before another inbound takes them.
    for (const open of this.inbounds.filter((inbound) => !byId.has(inbound.id))) {
      await this.#close(open, exchange);
      changed = true;
    }
    if (changed) await exchange.map();
    for (const populated of wanted) {
      const open = this.inbounds.find((inbound) => inbound.id === populated.inbound.id);
      if (open && exchange.settled(open, populated)) {
        if (open.tag !== populated.inbound.tag)
          this.#replaceRecord(open, { ...open, tag: populated.inbound.tag }, exchange);
        continue;
      }
      changed = true;
      try {
        await this.#exchange(populated, open, exchange);
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        warnings.push(noticeOf(itemPlace("inbound", populated.inbound.tag), reason("engine_refused", why)));
      }
    }
    return { changed, warnings };
  }

  async #exchange(
    populated: PopulatedInbound,
    open: OpenInbound | undefined,
    exchange: InboundExchange,
  ): Promise<void> {
    const place = await exchange.place(populated);
    // Two listeners would share the datagrams of a UDP port at random.
    const apart = place.inner !== undefined || !populated.inbound.networks.includes("udp") || open?.port !== place.port;
    const replaced = apart ? open : undefined;
    if (open && !apart) await this.#close(open, exchange);
    let fresh: OpenInbound;
    try {
      fresh = await this.#open(populated, open, place, exchange);
    } catch (error) {
      // What it was opened with is void.
      if (replaced) await this.#close(replaced, exchange);
      throw error;
    }
    if (place.inner !== undefined || open?.inner !== undefined) {
      try {
        await exchange.map();
      } catch (error) {
        await this.#close(fresh, exchange);
        throw error;
      }
    }
    if (replaced) await this.#retire(replaced, place, exchange);
  }

  async #open(
    populated: PopulatedInbound,
    replaced: OpenInbound | undefined,
    { listen, port, inner }: Place,
    exchange: InboundExchange,
  ): Promise<OpenInbound> {
    const [first, second] = engineTags(populated.inbound.id);
    const tag = replaced?.engineTag === first ? second : first;
    const config = this.#dialect.inboundConfig(populated, { tag, listen, port });
    // The tag may be open although we do not know it: an agent died between opening and writing it down. Its listener
    // would leak.
    await this.control.removeInbound(tag);
    this.#record = { ...this.#record, inbounds: this.#record.inbounds.filter(({ engineTag }) => engineTag !== tag) };
    this.journal.alias(populated.aliases);
    this.journal.begin(populated.accounts.keys());
    await this.control.addInbound(config);
    this.journal.commit([...populated.accounts].map(([email, { digest }]) => [email, digest]));
    const fresh = openInbound(populated, tag, inner);
    this.#record = { ...this.#record, inbounds: [...this.#record.inbounds, fresh] };
    exchange.save();
    return fresh;
  }

  /**
   * A replaced version closes; one behind the port map may finish its connections, which closing would cut over UDP.
   */
  async #retire(open: OpenInbound, place: Place, exchange: InboundExchange): Promise<void> {
    if (open.inner === undefined || place.inner === undefined) return this.#close(open, exchange);
    this.#replaceRecord(open, { ...open, retireAt: exchange.retireAt() }, exchange);
  }

  /** Closes an inbound and opens it again. */
  async reopen(populated: PopulatedInbound, exchange: InboundExchange): Promise<void> {
    const versions = this.#record.inbounds.filter(({ id }) => id === populated.inbound.id);
    for (const open of versions) await this.#close(open, exchange);
    const place = await exchange.place(populated);
    await this.#open(populated, versions.at(-1), place, exchange);
    if (place.inner !== undefined) await exchange.map();
  }

  /** Closes an inbound's listener; running connections over TCP go on. */
  async closeInbound(open: OpenInbound, save: () => void): Promise<void> {
    await this.#close(open, { save });
  }

  async #close(open: OpenInbound, { save }: Pick<InboundExchange, "save">): Promise<void> {
    await this.control.removeInbound(open.engineTag);
    this.#record = { ...this.#record, inbounds: this.#record.inbounds.filter((inbound) => inbound !== open) };
    if (!this.#record.inbounds.some((inbound) => inbound.id === open.id))
      this.journal.commit(this.#namesOn(open.id).map((name) => [name, undefined]));
    save();
  }

  #replaceRecord(open: OpenInbound, by: OpenInbound, { save }: Pick<InboundExchange, "save">): void {
    this.#record = {
      ...this.#record,
      inbounds: this.#record.inbounds.map((inbound) => (inbound === open ? by : inbound)),
    };
    save();
  }

  #namesOn(inboundId: number): string[] {
    return [...this.journal.users.keys()].filter((name) => parseEngineUserName(name)?.inboundId === inboundId);
  }

  /** Closes every listener that another process could share; running connections go on. */
  async closeShared(): Promise<void> {
    for (const open of this.#record.inbounds)
      if (open.inner === undefined) await this.control.removeInbound(open.engineTag);
  }

  markServing(): void {
    const { starting: _, ...record } = this.#record;
    this.#record = record;
  }

  markDraining(drainUntil: number): void {
    this.markServing();
    this.#record = { ...this.#record, drainUntil };
  }

  markFinal(final: NonNullable<EngineRecord["final"]>): void {
    this.#record = { ...this.#record, final };
  }

  /** Executes operations, removals first: users who lost access must be disconnected before new users are added. */
  async perform(operations: readonly Operation[]): Promise<void> {
    if (operations.length === 0) return;
    this.journal.begin(operations.map(({ email }) => email));
    const leaving = operations.filter((operation) => operation.remove);
    await inParallel(leaving, async ({ inbound, email }) => {
      // A retired version would go on letting them in over connections of old.
      for (const { engineTag } of this.#record.inbounds.filter(({ id }) => id === inbound))
        await this.control.removeUser(engineTag, email);
    });
    this.journal.commit(leaving.filter(({ add }) => !add).map(({ email }) => [email, undefined]));
    const current = new Map(this.inbounds.map(({ id, engineTag }) => [id, engineTag]));
    await inParallel(operations, async ({ inbound, email, add }) => {
      const tag = current.get(inbound);
      if (add && tag !== undefined) await this.control.addUser(tag, email, add.account);
    });
    this.journal.commit(operations.flatMap(({ email, add }): [string, string][] => (add ? [[email, add.digest]] : [])));
  }

  /**
   * Makes pending calls fail, and the next calls of the running change too. The process can still be queried for its
   * last reading.
   */
  giveUp(): void {
    this.control.close();
    this.control = readOnly(this.#dialect.connect(this.#record.endpoint));
  }

  /** Lets go of the process: it runs on. */
  release(): void {
    this.unwatch();
    this.control.close();
  }

  forget(): void {
    this.release();
    this.journal.remove();
  }
}

/** A control that answers readings alone. */
function readOnly(control: EngineControl): EngineControl {
  const refuse = async (): Promise<never> => Promise.reject(new Error("the driver closes"));
  return {
    ping: async (timeoutMs) => control.ping(timeoutMs),
    userCounters: async (timeoutMs) => control.userCounters(timeoutMs),
    addUser: refuse,
    removeUser: refuse,
    addInbound: refuse,
    removeInbound: refuse,
    changeFrame: refuse,
    streams: refuse,
    closeStreams: refuse,
    close: () => control.close(),
  };
}
