// One node of a simulated fleet: the state it was told, as digests; traffic without an engine; a ledger in memory.
import { bucketOf, BUCKETS, digestBuckets, digestObject, digestStructure } from "../../protocol/digest.ts";
import { RpcErrorCode } from "../../protocol/messages.ts";
import type {
  AppliedState,
  EngineReport,
  Heartbeat,
  PanelParams,
  PanelResult,
  UsageBatch,
} from "../../protocol/messages.ts";
import { planKey } from "../../protocol/plan.ts";
import type { PlanUser } from "../../protocol/plan.ts";
import { RpcError } from "../../protocol/rpc-error.ts";
import { MAX_BATCH_ROWS, quarterOf } from "../batch.ts";
import { memoryFence } from "../fence.ts";
import { hostArch, hostSetup } from "../host.ts";
import type { News, ServedNode } from "../served-node.ts";
import { AGENT_VERSION } from "../version.ts";
import { chance, textNumber, textUuid } from "./chance.ts";
import { Tally } from "./tally.ts";
import { Traffic } from "./traffic.ts";
import { UserBuckets } from "./user-buckets.ts";
import type { BucketPool } from "./user-buckets.ts";
import type { AgentNotice } from "../notices.ts";

export interface SimulatedNodeOptions {
  readonly address: string;
  readonly port: number;
  readonly pool: BucketPool;
  readonly rate: number;
  readonly seed: number;
  /** Milliseconds: begin of the fleet. */
  readonly begin: number;
  /** Milliseconds. */
  readonly now: () => number;
  /** Keep totals by user, for the report. */
  readonly keepTotals: boolean;
}

/** Setup of the machine that the fleet runs on, as a real agent there reports it. */
const SETUP = hostSetup();
/** Buckets or users in one change. */
const MANY = 50;
const GIBIBYTE = 2 ** 30;

export class SimulatedNode implements ServedNode {
  readonly agentVersion = AGENT_VERSION;
  readonly arch = hostArch();
  readonly setup = SETUP;
  readonly fence = memoryFence();
  readonly agentId: string;
  /** Everything counted since the begin, by user; only where a report is kept. */
  readonly totals: Tally | undefined;
  readonly #options: SimulatedNodeOptions;
  readonly #bootId: string;
  readonly #character: number;
  readonly #users: UserBuckets;
  readonly #traffic: Traffic;
  #revision = 0;
  readonly #objects = new Map<string, { digest: string; inboundId: number | undefined }>();
  #inbounds: readonly number[] = [];
  #applied: AppliedState | undefined;
  #seq = 0;
  #acknowledged = 0;
  /** Batches given out or full; they do not change any more. */
  #sealed: UsageBatch[] = [];
  #growing = new Tally();
  /** Inbounds of what grows, of users whose own list chose them: the list may change before it is full. */
  readonly #growingOn = new Map<number, number>();
  #growingFrom: number;
  /** Unix seconds of what was counted last. */
  #growingTo: number;
  #changes = 0;
  #listener: (news: News) => void = () => undefined;

  constructor(options: SimulatedNodeOptions) {
    const { address, pool, rate, seed, begin, now, keepTotals } = options;
    this.#options = options;
    // The same from start to start, and another one on another port: several fleets may share a seed.
    this.agentId = textUuid(`agent ${seed} ${address} ${options.port}`);
    this.totals = keepTotals ? new Tally() : undefined;
    // The ledger lives as long as the process: another start is another ledger, or the panel would take its first
    // batches for old ones.
    this.#bootId = textUuid(`${seed} ${address} ${begin}`);
    this.#character = textNumber(`${seed} ${address}`);
    this.#users = new UserBuckets(pool);
    this.#growingFrom = this.#growingTo = Math.floor(now() / 1000);
    const count = (userId: number, up: number, down: number): void => {
      const inbound = this.#inboundOf(userId);
      if (inbound === undefined) return;
      if (inbound !== this.#anyInboundOf(userId)) this.#growingOn.set(userId, inbound);
      this.#growing.add(userId, up, down);
      this.totals?.add(userId, up, down);
      this.#changes += 1;
      if (this.#growing.size >= MAX_BATCH_ROWS) this.#seal();
    };
    this.#traffic = new Traffic({ pool, users: this.#users, rate, begin, count }, now());
  }

  /** Moves whenever `totals` does. */
  get changes(): number {
    return this.#changes;
  }

  ledger(): { bootId: string; acknowledged: number } {
    return { bootId: this.#bootId, acknowledged: this.#acknowledged };
  }

  engine(): EngineReport {
    return { kind: "simulated", version: AGENT_VERSION, state: "running", message: "", restarts: 0 };
  }

  applied(): AppliedState {
    this.#applied ??= {
      revision: this.#revision,
      structure: digestStructure(this.#objectDigests()),
      users: digestBuckets(this.#users.digests),
    };
    return this.#applied;
  }

  notices(): readonly AgentNotice[] {
    return [];
  }

  digests(): PanelResult<"state.digests"> {
    return { objects: this.#objectDigests(), buckets: this.#users.digests };
  }

  async report(): Promise<PanelResult<"state.report">> {
    return { applied: this.applied(), warnings: [], engine: this.engine() };
  }

  async apply({ revision, objects, users }: PanelParams<"state.apply">): Promise<PanelResult<"state.apply">> {
    const buckets = checkedBuckets(users?.buckets ?? {});
    const put = Object.entries(objects?.put ?? {});
    for (const [key, object] of put)
      if (planKey(object) !== key)
        throw new RpcError(
          RpcErrorCode.invalidParams,
          `state.apply: objects.put[${JSON.stringify(key)}] holds another object`,
        );
    const now = this.#options.now();
    if (objects !== undefined) {
      // Traffic up to now belongs to the inbounds as they were: what grows is always of the present ones.
      this.tick(now);
      this.#seal();
      for (const key of objects.drop) this.#objects.delete(key);
      for (const [key, object] of put)
        this.#objects.set(key, {
          digest: digestObject(object),
          inboundId: object.kind === "inbound" ? object.id : undefined,
        });
      this.#inbounds = [...this.#objects.values()]
        .flatMap(({ inboundId }) => inboundId ?? [])
        .toSorted((a, b) => a - b);
    }
    // Settled first, many newcomers need not be remembered one by one.
    else if (Object.keys(users?.buckets ?? {}).length + (users?.put?.length ?? 0) > MANY) this.tick(now);
    // What they have moved belongs to the inbounds that they might use until now.
    else if ([users?.put ?? [], ...buckets.values()].some((list) => list.some((user) => this.#listDiffers(user))))
      this.tick(now);
    const serving = this.#inbounds.length > 0;
    this.#turn(now);
    this.#users.change(
      { buckets, drop: users?.drop ?? [], put: users?.put ?? [] },
      {
        added: (id) => this.#traffic.joined(id, now),
        removed: (id) => (serving ? this.#traffic.left(id, now) : undefined),
      },
    );
    this.#revision = revision;
    this.#applied = undefined;
    return { applied: this.applied(), warnings: [], engine: this.engine() };
  }

  async listSessions(): Promise<PanelResult<"sessions.list">> {
    return { supported: false, total: 0, truncated: false, rows: [] };
  }

  async closeSessions(): Promise<PanelResult<"sessions.close">> {
    return { supported: false, closed: 0 };
  }

  async listAddresses(): Promise<PanelResult<"addresses.list">> {
    return { rows: [] };
  }

  /** It refuses nobody. */
  setRules(): void {}

  async stop(): Promise<PanelResult<"engine.stop">> {
    await this.apply({
      revision: 0,
      objects: { put: {}, drop: [...this.#objects.keys()] },
      users: { buckets: Object.fromEntries(Array.from({ length: BUCKETS }, (_, index) => [String(index), []])) },
    });
    return { stopped: true };
  }

  async heartbeat(): Promise<Heartbeat> {
    const now = this.#options.now();
    const active = this.#inbounds.length === 0 || this.#options.rate === 0 ? 0 : this.#traffic.active;
    return {
      at: Math.floor(now / 1000),
      live: this.#figures(now, active),
      engine: this.engine(),
      applied: this.applied(),
      warnings: [],
      online: active,
    };
  }

  nextBatch(): UsageBatch | undefined {
    if (this.#sealed.length === 0) this.#seal();
    return this.#sealed[0];
  }

  async acknowledge(seq: number): Promise<void> {
    this.#acknowledged = Math.max(this.#acknowledged, Math.min(seq, this.#seq));
    this.#sealed = this.#sealed.filter((batch) => batch.seq > this.#acknowledged);
  }

  onNews(listener: (news: News) => void): void {
    this.#listener = listener;
  }

  /** Counts the traffic up to now into the ledger. */
  tick(now: number = this.#options.now()): void {
    this.#turn(now);
    if (this.#inbounds.length === 0) this.#traffic.skip(now);
    else this.#traffic.settle(now);
    if (this.#growing.size > 0 || this.#sealed.length > 0) this.#listener("usage");
  }

  /** What is counted at `now` (milliseconds) is of another batch where another quarter of an hour has begun. */
  #turn(now: number): void {
    const at = Math.floor(now / 1000);
    if (quarterOf(at) !== quarterOf(this.#growingTo)) this.#seal();
    this.#growingTo = at;
  }

  /** A user keeps to one inbound while the node and its own list have the same ones; without one it moves nothing. */
  #inboundOf(userId: number): number | undefined {
    const own = this.#users.inboundsOf(userId);
    if (!own) return this.#anyInboundOf(userId);
    const among = this.#inbounds.filter((id) => own.includes(id));
    return among[userId % among.length];
  }

  #listDiffers({ id, inbounds }: PlanUser): boolean {
    return this.#users.inboundsOf(id)?.join() !== inbounds?.join();
  }

  #anyInboundOf(userId: number): number | undefined {
    return this.#inbounds[userId % this.#inbounds.length];
  }

  #seal(): void {
    if (this.#growing.size === 0) return;
    const to = this.#growingTo;
    const rows: UsageBatch["rows"] = [];
    let totalUp = 0;
    let totalDown = 0;
    for (const [id, up, down] of this.#growing.rows()) {
      const inboundId = this.#growingOn.get(id) ?? this.#anyInboundOf(id);
      if (inboundId === undefined) continue;
      rows.push([id, inboundId, up, down, to]);
      totalUp += up;
      totalDown += down;
    }
    this.#seq += 1;
    this.#sealed.push({
      bootId: this.#bootId,
      seq: this.#seq,
      from: this.#growingFrom,
      to,
      rows,
      up: totalUp,
      down: totalDown,
    });
    this.#growing = new Tally();
    this.#growingOn.clear();
    this.#growingFrom = to;
  }

  #objectDigests(): Record<string, string> {
    return Object.fromEntries([...this.#objects].map(([key, { digest }]) => [key, digest]));
  }

  #figures(now: number, active: number): Heartbeat["live"] {
    const { begin, rate } = this.#options;
    const minute = Math.floor(now / 60_000);
    const load = 2 * chance(this.#character, minute);
    const memoryTotal = 2 ** (this.#character % 3) * 2 * GIBIBYTE;
    const diskTotal = 40 * GIBIBYTE;
    const bytes = active * rate;
    return {
      uptime: Math.floor((now - begin) / 1000),
      load1: load,
      load5: 2 * chance(this.#character, minute, 5),
      load15: 2 * chance(this.#character, minute, 15),
      cpuPercent: Math.round(500 * load) / 10,
      memoryTotal,
      memoryUsed: Math.floor(memoryTotal * (0.2 + 0.5 * chance(this.#character, 1))),
      diskTotal,
      diskUsed: Math.floor(diskTotal * (0.1 + 0.6 * chance(this.#character, 2))),
      connections: active,
      upRate: Math.floor(bytes / 5),
      downRate: bytes - Math.floor(bytes / 5),
      engineRestarts: 0,
      rejected: {},
    };
  }
}

function checkedBuckets(buckets: Readonly<Record<string, readonly PlanUser[]>>): Map<number, readonly PlanUser[]> {
  const checked = new Map<number, readonly PlanUser[]>();
  for (const [text, users] of Object.entries(buckets)) {
    const index = Number(text);
    if (index >= BUCKETS)
      throw new RpcError(RpcErrorCode.invalidParams, `state.apply: users.buckets has no bucket ${text}`);
    for (const { id } of users)
      if (bucketOf(id) !== index)
        throw new RpcError(RpcErrorCode.invalidParams, `state.apply: users.buckets[${text}] holds user ${id}`);
    checked.set(index, users);
  }
  return checked;
}
