// The fleet as one process sees it: the links that it holds, what nodes said last, the ways to query agents, and the
// listeners for changes.
import PQueue from "p-queue";
import { StoreUnavailable, type Committed, type Committer, type Reader, type RowChange } from "../../db/index.ts";
import type { Clock } from "../../lib/clock.ts";
import { FrameThread } from "../../protocol/frame-thread.ts";
import type { Outbox, ResidentEffect } from "../../runtime/index.ts";
import { Signals } from "../../lib/signals.ts";
import { HolderRequests } from "./holder-requests.ts";
import type { LinkIdentity } from "../link/identity.ts";
import { Ledgers } from "../link/ledgers.ts";
import { NodeLink } from "../link/link.ts";
import type { LinkPorts } from "../link/link-ports.ts";
import { Forgetting } from "../usage/forgetting.ts";
import type { ServedChange } from "../desired/gathered-changes.ts";
import type { Heartbeats } from "./heartbeats.ts";
import { LiveNodes } from "./live-nodes.ts";
import { NodeRows, type NodeRow } from "../records/node.entity.ts";
import { Progress } from "./progress.ts";
import { ProblemLines } from "../link/problem-lines.ts";
import { Questions } from "./questions.ts";
import { ReadLinks } from "./read-links.ts";
import type { ServedAccounts } from "../usage/served-accounts.ts";
import { ServedMemory } from "../usage/served-memory.ts";
import type { TrafficRecord } from "../usage/traffic-record.ts";
import {
  servableById,
  servableLimited,
  servableOfOwner,
  servablePage,
  type ServableUser,
} from "../desired/servable-user.ts";
import type { TemplateContent } from "../desired/structure.ts";
import type { StandingPorts } from "./account-standings.ts";
import { Structures } from "../desired/structures.ts";
import { understoodBy } from "../desired/understood.ts";
import { Turns } from "../link/duplicate-agents.ts";
import { UsageCounter } from "../usage/usage.ts";
import { tellRefused } from "../usage/usage-refusals.ts";
import { UserSets } from "../desired/user-sets.ts";

/**
 * Maximum number of parallel connection attempts, so that a fleet of thousands does not overload the panel after a
 * start.
 */
const DIALS = 64;
/** A node that does not answer in time keeps what is open. */
const CLOSE_MS = 3000;

export interface FleetOptions {
  readonly commits: Committer;
  readonly reads: Reader;
  readonly clock: Clock;
  readonly random: () => number;
  readonly identity: LinkIdentity;
  readonly version: string;
  /** Other processes are on this database, and hold links of their own. */
  readonly shared: boolean;
  /** The token under which this process holds a node's shard at this moment (`Shards.token`). */
  readonly token: (nodeId: number) => number | undefined;
  /** Resolves when what other processes committed before is known here; undefined where there are none. */
  readonly caughtUp: () => Promise<void> | undefined;
  readonly accounts: ServedAccounts;
  readonly recordTraffic: TrafficRecord;
  /** A template with what it carries; undefined when it is gone. */
  readonly template: (id: number) => Promise<TemplateContent | undefined>;
  /** Tables whose rows templates are made of: a change of one makes every node compare its structure. */
  readonly templateTables: readonly string[];
  readonly outbox: Outbox<"node.usage_refused">;
  /** What holds for the users of all nodes. */
  readonly rules?: LinkPorts["rules"];
  /** The fastest line that a node may have (`SIGNALBOX_MAX_NODE_GBPS`); 0: any. */
  readonly maxNodeGbps: number;
  readonly localKey?: LinkPorts["localKey"];
  /** Are told what nodes say. */
  readonly heartbeats?: Heartbeats;
  /** Hears of links and of what is pushed over them; nobody where none is given. */
  readonly signals?: Signals;
  readonly log: LinkPorts["log"];
}

export class Fleet {
  readonly users: UserSets;
  readonly usage: UsageCounter;
  readonly live: LiveNodes;
  readonly progress: Progress;
  readonly questions: Questions;
  readonly holderRequests: HolderRequests;
  readonly standingPorts: StandingPorts;
  readonly #options: FleetOptions;
  readonly #ports: LinkPorts;
  readonly #links = new Map<number, NodeLink>();
  readonly #readLinks: ReadLinks;
  readonly #dials = new PQueue({ concurrency: DIALS });
  readonly #frames = new FrameThread();
  readonly #structures: Structures;
  readonly #turns: Turns;
  readonly #forgetting: Forgetting;
  readonly #served: ServedMemory;
  readonly #stopListening: () => void;

  /** The key of a local agent that this panel keeps. */
  localKey(nodeId: number): string | undefined {
    return this.#options.localKey?.(nodeId)?.fingerprint;
  }

  constructor(options: FleetOptions) {
    this.#options = options;
    const { commits, reads, clock, shared, version, log } = options;
    const identity = () => options.identity;
    this.users = new UserSets({
      reads,
      commits,
      clock,
      page: (after, limit) => reads.rows(options.accounts.rows, servablePage(after, limit)),
      byId: (ids) => reads.rows(options.accounts.rows, servableById(ids)),
      userOf: (change) => this.#userOf(change),
      withheld: () => options.accounts.withheld.owners(reads),
      ownerOf: (change) => options.accounts.withheld.ownerOf(change),
      ofOwner: (owner, after, limit) => reads.rows(options.accounts.rows, servableOfOwner(owner, after, limit)),
      limited: (after, limit) => reads.rows(options.accounts.rows, servableLimited(after, limit)),
      partFact: options.accounts.partFact,
      onError: (error) => this.#failed("accounts were not looked up again; it is tried again", error),
      onChange: (change) => this.#userChanged(change),
    });
    this.#served = new ServedMemory(this.users, options.template);
    this.usage = new UsageCounter({
      commits,
      reads,
      now: () => clock.now(),
      served: this.#served,
      counting: options.accounts.counting,
      recordTraffic: options.recordTraffic,
      maxNodeGbps: options.maxNodeGbps,
      onRefused: (nodeIds) => this.#tellRefused(nodeIds),
      onLost: (nodeId, batches) =>
        log("warn", "usage that the node told before is lost: the database is older", { nodeId, batches }),
    });
    this.live = new LiveNodes({ commits, reads, clock, shared, log });
    this.#structures = new Structures(reads, options.template, () => this.#links.size);
    const desired = (nodeId: number) => this.#structures.of(nodeId);
    const ready = async () => {
      await options.caughtUp();
      await this.users.ready();
    };
    this.#readLinks = new ReadLinks({ reads, clock, identity, version, frames: this.#frames });
    this.questions = new Questions({ reads, links: this.#links, readLinks: this.#readLinks, shared });
    // What a node runs that a link of another process holds depends on its agent too.
    const understood = async (nodeId: number) =>
      understoodBy(this.questions.understands(nodeId), await desired(nodeId));
    this.progress = new Progress({
      commits,
      reads,
      clock,
      links: this.#links,
      users: this.users,
      desired: async (node) => understoodBy(this.questions.understands(node.id), await this.#structures.ofNode(node)),
      log,
    });
    const known = { questions: this.questions, users: this.users, progress: this.progress, ready, desired: understood };
    this.standingPorts = known;
    this.holderRequests = new HolderRequests({
      ...known,
      commits,
      reads,
      links: this.#links,
      log,
    });
    const problems = new ProblemLines(clock, log);
    this.#ports = {
      reads,
      clock,
      random: options.random,
      identity,
      version,
      frames: this.#frames,
      holds: (nodeId, fence) => options.token(nodeId) === fence,
      users: this.users,
      ready,
      usage: this.usage,
      ledgers: new Ledgers({ commits, reads, clock }),
      agents: { commits, reads },
      ...(options.localKey && { localKey: options.localKey }),
      desired,
      rules: options.rules ?? (() => ({ ipLimitNewest: false })),
      progress: this.progress,
      inTurn: (work) => this.#dials.add(work),
      onOpen: (nodeId) => this.#readLinks.close(nodeId),
      onHeartbeat: (nodeId, fence, heartbeat) => {
        const heard = this.live.heard(nodeId, fence, heartbeat, this.#servedOn(nodeId));
        options.heartbeats?.tell(nodeId, heard);
      },
      signals: options.signals ?? new Signals(),
      log,
      onProblem: (nodeId, problem, fields) => problems.say(nodeId, problem, fields),
    };
    this.#forgetting = new Forgetting({
      commits,
      reads,
      clock,
      told: () => [...this.#links.values()].map((link) => ({ id: link.nodeId, until: link.reportedUntil })),
      onError: (error) => this.#failed("what late usage no longer needs was not forgotten", error),
    });
    this.#turns = new Turns({ reads, log });
    this.#stopListening = commits.onCommit((committed) => this.#committed(committed));
  }

  /** The resident effect of the node chart. */
  readonly startLink: ResidentEffect["start"] = ({ id, resumed, fence, send }) => {
    const link = new NodeLink(this.#ports, { nodeId: id, resumed, fence, send });
    this.#links.set(id, link);
    return () => {
      link.stop();
      this.live.forget(id, fence);
      this.progress.forget(id, fence);
      if (this.#links.get(id) === link) this.#links.delete(id);
    };
  };

  /** The resident effect of a node whose agent serves another one. */
  readonly startTurn: ResidentEffect["start"] = (actor) => this.#turns.start(actor);

  /** The link of a node that this process holds. */
  link(nodeId: number): NodeLink | undefined {
    return this.#links.get(nodeId);
  }

  /**
   * Tells which accounts a node serves now: from memory, after one look at the node. Nobody on a node that is unknown
   * or has no template.
   */
  async servedBy(nodeId: number): Promise<(userId: number) => boolean> {
    const [node] = await Promise.all([this.#options.reads.find(NodeRows, nodeId), this.users.known()]);
    const templateId = node?.templateId ?? 0;
    return (userId) => templateId !== 0 && this.users.serves(templateId, userId);
  }

  /** Links of this process. */
  links(): Iterable<NodeLink> {
    return this.#links.values();
  }

  async stop(): Promise<void> {
    this.#stopListening();
    this.#forgetting.stop();
    this.holderRequests.stop();
    this.live.stop();
    this.users.stop();
    this.#readLinks.stop();
    this.#dials.clear();
    void this.#frames.stop();
    await this.progress.stop();
  }

  /** Users that a linked node serves. */
  #servedOn(nodeId: number): number {
    const templateId = this.#links.get(nodeId)?.templateId ?? 0;
    return templateId === 0 ? 0 : this.users.count(templateId);
  }

  #committed({ changes, facts }: Committed): void {
    const { accounts, templateTables } = this.#options;
    if (facts.has(accounts.changedFact)) {
      this.users.forget();
      for (const link of this.#links.values()) link.sync?.nudge();
    }
    for (const inboundId of facts.of(accounts.inboundLeftFact)) this.users.inboundLeft(inboundId);
    for (const userId of facts.of(accounts.sessionsEndFact)) this.#endSessions(userId);
    if (changes.some((change) => templateTables.includes(change.table))) {
      this.#structures.forget();
      this.#served.forgetInbounds();
      for (const link of this.#links.values()) link.sync?.nudge();
    }
    for (const change of changes) if (change.table === NodeRows.name) this.#nodeChanged(change);
  }

  /**
   * Closes what an account has open on the nodes that this process holds, once they have what was committed with it: a
   * client that connects again at once is met by the new credentials.
   */
  #endSessions(userId: number): void {
    for (const link of this.#links.values()) {
      if (!link.peer) continue;
      link
        .syncNow()
        .then(() => link.peer?.call("sessions.close", { userId }, { timeoutMs: CLOSE_MS }))
        .catch((error: unknown) => {
          // A node that is away has no sessions to close once it is back: it gets the new credentials first.
          this.#options.log("debug", "sessions of an account were not closed", {
            nodeId: link.nodeId,
            error: String(error),
          });
        });
    }
  }

  #nodeChanged(change: RowChange): void {
    const { id, before, after } = change;
    this.#turns.changed(change);
    const nodeId = Number(id);
    const row = after as NodeRow | undefined;
    this.#readLinks.changed(nodeId, row);
    const link = this.#links.get(nodeId);
    if (!link || !row) return;
    link.multiplierMicros = row.multiplierMicros;
    if (row.mstate === "linked.refused.trying" && before?.["mstate"] !== row.mstate) link.tryAgain();
    // What another process changed comes without what it was before: the link compares, which costs nothing where
    // nothing differs.
    if (!before || before["templateId"] !== row.templateId || before["routing"] !== row.routing) link.sync?.nudge();
  }

  #tellRefused(nodeIds: readonly number[]): void {
    for (const nodeId of nodeIds)
      tellRefused(this.#options, nodeId).catch((error: unknown) =>
        this.#failed("refused usage was not told of", error),
      );
  }

  #failed(what: string, error: unknown): void {
    if (!(error instanceof StoreUnavailable)) this.#options.log("warn", what, { err: error });
  }

  #userChanged({ userId, user, templates, servedOn }: ServedChange): void {
    for (const link of this.#links.values()) {
      const { templateId, sync } = link;
      if (!sync || templateId === 0 || (templates !== "all" && !templates.has(templateId))) continue;
      sync.userChanged(userId, servedOn === "all" || servedOn.has(templateId) ? user : undefined);
    }
  }

  #userOf({ table, id, before, after }: RowChange) {
    if (table !== this.#options.accounts.rows.name) return undefined;
    return { id: id as number, before: before as ServableUser | undefined, after: after as ServableUser | undefined };
  }
}
