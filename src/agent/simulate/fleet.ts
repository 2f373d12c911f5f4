// A fleet of nodes behind one port: every address of this machine that is dialled is a node of its own.
import type { Logger } from "pino";
import { HEARTBEAT_SECONDS } from "../../protocol/messages.ts";
import { identityFromSeed } from "../identity.ts";
import { NodeLinks } from "../links.ts";
import { listen } from "../listener.ts";
import type { Caller } from "../listener.ts";
import { chance, textNumber } from "./chance.ts";
import { SimulatedNode } from "./node.ts";
import { Report } from "./report.ts";
import type { ReportedNode } from "./report.ts";
import { Tally } from "./tally.ts";
import { BucketPool } from "./user-buckets.ts";

const MAX_NODES = 50_000;
/** Every node counts its traffic once in this time; the nodes take turns, so that the work is spread evenly. */
const TICK_MS = 5000;
const TURNS = 50;

export interface FleetOptions {
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
  readonly trustFile: string;
  /** Share of the users that move traffic at a time, 0 to 1. */
  readonly activeShare: number;
  /** Bytes a second of an active user on each node, up and down together. */
  readonly rate: number;
  /** Key (hence pin), activity and figures follow from it. */
  readonly seed: number;
  readonly reportPath?: string;
  readonly log: Logger;
  /** Milliseconds. */
  readonly now?: () => number;
  readonly tickMs?: number;
}

export interface RunningFleet {
  readonly address: string;
  readonly port: number;
  readonly fingerprint: string;
  /** Nodes that were dialled so far. */
  readonly nodes: number;
  /** Cuts the links and writes the last report. Nothing more is counted: no panel could fetch it. */
  stop(): Promise<void>;
}

class Member {
  readonly node: SimulatedNode;
  readonly links: NodeLinks;
  dials = 0;

  constructor(node: SimulatedNode, links: (member: Member) => NodeLinks) {
    this.node = node;
    this.links = links(this);
  }
}

/** Resolves once the fleet listens. Rejects when the address is taken or the trust file cannot be used. */
export async function startFleet(options: FleetOptions): Promise<RunningFleet> {
  const { seed, rate, log, now = Date.now } = options;
  const begin = now();
  const members = new Map<string, Member>();
  const turns: Member[][] = Array.from({ length: TURNS }, () => []);
  const pool = new BucketPool(seed, options.activeShare);
  const onProblem = (problem: string, error?: unknown): void => log.warn({ err: error }, problem);
  const heartbeatMs = HEARTBEAT_SECONDS * 1000;

  const join = (address: string): Member => {
    const node = new SimulatedNode({
      address,
      port: listener.port,
      pool,
      rate,
      seed,
      begin,
      now,
      keepTotals: options.reportPath !== undefined,
    });
    const place = textNumber(`${seed} ${address}`);
    const heartbeatPhaseMs = 1 + chance(place, 3) * heartbeatMs;
    const member = new Member(
      node,
      (self) =>
        new NodeLinks({
          node,
          times: { heartbeatMs, heartbeatPhaseMs },
          onProblem: (problem, error) => log.debug({ err: error, node: address }, problem),
          onWriter: () => {
            self.dials += 1;
          },
        }),
    );
    members.set(address, member);
    turns[place % TURNS]?.push(member);
    return member;
  };
  const onCaller = (caller: Caller): void => {
    const member =
      members.get(caller.localAddress) ?? (members.size < MAX_NODES ? join(caller.localAddress) : undefined);
    if (member === undefined) caller.socket.close(1013, "the fleet is full");
    else member.links.accept(caller);
  };

  const identity = await identityFromSeed(String(seed), begin);
  const listener = await listen({
    identity,
    trustFile: options.trustFile,
    host: options.host,
    port: options.port,
    onCaller,
    onProblem,
  });
  let turn = 0;
  const timer = setInterval(
    () => {
      turn = (turn + 1) % TURNS;
      for (const { node } of turns[turn] ?? []) node.tick();
    },
    (options.tickMs ?? TICK_MS) / TURNS,
  );
  const report =
    options.reportPath === undefined
      ? undefined
      : new Report(options.reportPath, () => reported(members), now, onProblem);
  // The report is written before the log says that the fleet listens: whoever reads that line finds a report.
  await report?.write();
  const address = `${options.host.includes(":") ? `[${options.host}]` : options.host}:${listener.port}`;
  log.info({ address, seed, rate, activeShare: options.activeShare }, "simulated fleet listens");
  return {
    address,
    port: listener.port,
    fingerprint: identity.fingerprint,
    get nodes() {
      return members.size;
    },
    async stop() {
      clearInterval(timer);
      for (const member of members.values()) member.links.close();
      await report?.close();
      await listener.close();
    },
  };
}

function* reported(members: ReadonlyMap<string, Member>): Iterable<ReportedNode> {
  for (const [address, { node, links, dials }] of members) {
    const totals = node.totals ?? new Tally();
    yield { address, totals, changes: node.changes, links: links.writers, dials };
  }
}
