// The fleet in memory: the links that this process holds, what nodes said last, and who must hear of a change.
import PQueue from "p-queue";
import type { Committed, Committer, Reader, RowChange } from "../db/index.ts";
import type { Clock } from "../lib/clock.ts";
import type { Heartbeat } from "../protocol/messages.ts";
import type { ResidentEffect } from "../runtime/index.ts";
import type { LinkIdentity } from "./identity.ts";
import { NodeLink, type LinkPorts } from "./link.ts";
import { NodeRows } from "./node.entity.ts";
import { structureOf, type DesiredStructure, type TemplateContent } from "./structure.ts";
import type { DesiredNode } from "./sync.ts";
import { UsageCounter } from "./usage.ts";
import { servableById, servablePage, UserSets, type ServableUser, type ServedChange } from "./user-sets.ts";
import type { Entity } from "../db/index.ts";

/** Dials under way at once: a fleet of thousands does not stampede after a start. */
const DIALS = 64;

export interface FleetOptions {
  readonly commits: Committer;
  readonly reads: Reader;
  readonly clock: Clock;
  readonly random: () => number;
  readonly identity: LinkIdentity;
  readonly version: string;
  readonly fence: number;
  /** The accounts' table, as far as the fleet reads it. */
  readonly users: Entity<ServableUser & { id: number }>;
  /** A template with what it carries; undefined when it is gone. */
  readonly template: (id: number) => Promise<TemplateContent | undefined>;
  /** Tables whose rows templates are made of: a change of one makes every node compare its structure. */
  readonly templateTables: readonly string[];
  /** The fact of commits that changed accounts set by set. */
  readonly usersChangedFact: string;
  readonly log: LinkPorts["log"];
}

/** What a node said last. */
export interface LiveNode {
  readonly heartbeat: Heartbeat;
  /** Unix seconds by the panel's clock. */
  readonly at: number;
}

export class Fleet {
  readonly users: UserSets;
  readonly usage: UsageCounter;
  readonly #options: FleetOptions;
  readonly #ports: LinkPorts;
  readonly #links = new Map<number, NodeLink>();
  readonly #live = new Map<number, LiveNode>();
  readonly #dials = new PQueue({ concurrency: DIALS });
  /** Structures by template and routing, until something they are made of changes. */
  readonly #structures = new Map<string, Promise<DesiredStructure>>();
  readonly #stopListening: () => void;

  constructor(options: FleetOptions) {
    this.#options = options;
    const { commits, reads, clock } = options;
    this.usage = new UsageCounter({ commits, reads, now: () => clock.now() });
    this.users = new UserSets({
      reads,
      commits,
      clock,
      page: (after, limit) => reads.rows(options.users, servablePage(after, limit)),
      byId: (ids) => reads.rows(options.users, servableById(ids)),
      userOf: (change) => this.#userOf(change),
      onChange: (change) => this.#userChanged(change),
    });
    this.#ports = {
      reads,
      clock,
      random: options.random,
      identity: () => options.identity,
      version: options.version,
      fence: options.fence,
      users: this.users,
      usage: this.usage,
      desired: (nodeId) => this.desired(nodeId),
      inTurn: (work) => this.#dials.add(work),
      onHeartbeat: (nodeId, heartbeat) => this.#live.set(nodeId, { heartbeat, at: Math.floor(clock.now() / 1000) }),
      log: options.log,
    };
    this.#stopListening = commits.onCommit((committed) => this.#committed(committed));
  }

  /** The resident effect of the node chart. */
  readonly startLink: ResidentEffect["start"] = ({ id, resumed, send }) => {
    const link = new NodeLink(this.#ports, id, resumed, send);
    this.#links.set(id, link);
    return () => {
      link.stop();
      this.#live.delete(id);
      if (this.#links.get(id) === link) this.#links.delete(id);
    };
  };

  link(nodeId: number): NodeLink | undefined {
    return this.#links.get(nodeId);
  }

  /** What the node said on its last heartbeat; undefined when it has not answered since the panel started, or stopped answering. */
  live(nodeId: number): LiveNode | undefined {
    return this.#live.get(nodeId);
  }

  /** Links of this process, for questions that go to every node. */
  links(): Iterable<NodeLink> {
    return this.#links.values();
  }

  /** What a node shall run now. */
  async desired(nodeId: number): Promise<DesiredNode> {
    const node = await this.#options.reads.find(NodeRows, nodeId);
    const templateId = node?.templateId ?? 0;
    const routing = node?.routing ?? null;
    const key = `${templateId} ${JSON.stringify(routing)}`;
    let structure = this.#structures.get(key);
    if (!structure) {
      structure = this.#structure(templateId, routing);
      this.#structures.set(key, structure);
      structure.catch(() => this.#structures.delete(key));
    }
    return { templateId, structure: await structure };
  }

  stop(): void {
    this.#stopListening();
    this.users.stop();
    this.#dials.clear();
  }

  async #structure(templateId: number, routing: Record<string, unknown> | null): Promise<DesiredStructure> {
    return structureOf(templateId === 0 ? undefined : await this.#options.template(templateId), routing);
  }

  #committed({ changes, facts }: Committed): void {
    const { templateTables, usersChangedFact } = this.#options;
    if (facts[usersChangedFact]) {
      this.users.forget();
      for (const link of this.#links.values()) link.sync?.nudge();
    }
    if (changes.some((change) => templateTables.includes(change.table))) {
      this.#structures.clear();
      for (const link of this.#links.values()) link.sync?.nudge();
    }
    for (const change of changes) {
      if (change.table !== NodeRows.name || !change.before || !change.after) continue;
      const link = this.#links.get(change.id as number);
      if (link && typeof change.after["multiplierMicros"] === "number") link.multiplierMicros = change.after["multiplierMicros"];
      if (change.before["templateId"] !== change.after["templateId"] || change.before["routing"] !== change.after["routing"]) {
        link?.sync?.nudge();
      }
    }
  }

  #userChanged({ userId, user, templates, servedOn }: ServedChange): void {
    for (const link of this.#links.values()) {
      const { templateId, sync } = link;
      if (!sync || templateId === 0 || (templates !== "all" && !templates.has(templateId))) continue;
      sync.userChanged(userId, servedOn === "all" || servedOn.has(templateId) ? user : undefined);
    }
  }

  #userOf({ table, id, before, after }: RowChange) {
    if (table !== this.#options.users.name) return undefined;
    return { id: id as number, before: before as ServableUser | undefined, after: after as ServableUser | undefined };
  }
}
