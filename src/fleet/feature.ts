// The fleet as the panel takes it: nodes, the links to their agents, usage, and the agents of this machine.
import { join } from "node:path";
import type { AnyFeature, Core, Ground, KindPorts, Opened } from "../feature/index.ts";
import { searchPath } from "../lib/search-path.ts";
import { claimTemplate, departureOf } from "../pool/index.ts";
import { ownArch, type StagedFiles } from "../staged/index.ts";
import { keyOf } from "./local/agent-home.ts";
import { Confinement } from "./local/confinement.ts";
import { fleetEntities } from "./records/entities.ts";
import { FLEET_FACTS } from "./live/holder-requests.ts";
import { fleetEvents } from "./fleet.events.ts";
import { fleetSettings } from "./fleet.settings.ts";
import { Fleet } from "./live/fleet.ts";
import { Heartbeats } from "./live/heartbeats.ts";
import { loadLinkIdentity, type LinkIdentity } from "./link/identity.ts";
import { liveRoutes } from "./live/live.routes.ts";
import { LocalAgents } from "./local/local-agent.ts";
import { enterStoredAddresses } from "./nodes/node-addresses.ts";
import { plannedTemplate, publicPorts, TEMPLATE_TABLES } from "./desired/planned-template.ts";
import { defineNodeActor, type NodeActor } from "./nodes/node.actor.ts";
import { NodeRows } from "./records/node.entity.ts";
import { type NamedNode, nodesForbidden, nodesOn, nodesRouting, templateOfNode } from "./nodes/node.queries.ts";
import { switchOffNode } from "./nodes/node.commands.ts";
import { nodeRoutes } from "./nodes/node.routes.ts";
import type { ServedAccounts } from "./usage/served-accounts.ts";
import { ServingNodes, type ServingNode } from "./desired/serving-nodes.ts";
import { fleetWords } from "./fleet.words.ts";
import { Standings, type NodeStanding } from "./live/account-standings.ts";
import type { TrafficRecord } from "./usage/traffic-record.ts";

type FleetCore = Core<"ip_limit_newest", keyof typeof fleetEvents>;

/** What the fleet asks of accounts, and where engines are staged. */
interface FleetNeeds {
  readonly staged: StagedFiles;
  readonly servedAccounts: ServedAccounts;
  readonly recordTraffic: TrafficRecord;
  /** Local nodes of another machine, which a restore brought. */
  readonly foreignNodes: () => Promise<readonly number[]>;
}

/** What the fleet answers others. */
interface FleetProvide {
  readonly entryNodes: () => readonly ServingNode[];
  readonly nodeTemplate: (nodeId: number) => Promise<number | undefined>;
  /** How nodes serve an account, as their agents say now. */
  readonly nodeStandings: (ids: readonly number[], userId: number) => Promise<ReadonlyMap<number, NodeStanding>>;
  /** The same, to be given what only the open fleet knows. */
  readonly standings: Standings;
  /** Nodes whose rules name a tag. */
  readonly nodesRouting: (tag: string) => Promise<NamedNode[]>;
  /** Nodes that run one of the templates. */
  readonly nodesOn: (templateIds: readonly number[]) => Promise<NamedNode[]>;
  /** What nodes say, as it arrives. */
  readonly heartbeats: Heartbeats;
  /** Has a node's engine stopped; undefined until the fleet is open. */
  readonly nodeStops: { standDown?: (nodeId: number, timeoutMs: number) => Promise<boolean> };
}

async function provide({ commits, reads, undo }: Ground): Promise<FleetProvide> {
  const serving = await ServingNodes.open(commits, reads);
  undo.push(() => serving.close());
  const standings = new Standings(reads);
  return {
    entryNodes: () => serving.all(),
    nodeTemplate: (nodeId) => templateOfNode(reads, nodeId),
    nodeStandings: (ids, userId) => standings.of(ids, userId),
    standings,
    nodesRouting: (tag) => nodesRouting(reads, tag),
    nodesOn: (templateIds) => nodesOn(reads, templateIds),
    heartbeats: new Heartbeats(),
    nodeStops: {},
  };
}

function kinds({ timeZone, resident }: KindPorts): { node: NodeActor } {
  return { node: defineNodeActor({ timeZone, link: resident("link"), turn: resident("turn") }) };
}

async function open(
  core: FleetCore,
  {
    servedAccounts,
    recordTraffic,
    staged,
    heartbeats,
    standings,
    nodeStops,
    foreignNodes,
  }: FleetNeeds & Pick<FleetProvide, "heartbeats" | "standings" | "nodeStops">,
  { node }: { node: NodeActor },
): Promise<Opened> {
  const {
    caughtUp,
    clock,
    commits,
    database,
    environment,
    log,
    outbox,
    program,
    reads,
    secretKey,
    settings,
    shards,
    signals,
    supervisor,
    undo,
  } = core;
  const identity = await loadLinkIdentity(reads, commits, secretKey, clock.now());
  const fleet = new Fleet({
    outbox,
    maxNodeGbps: environment.maxNodeGbps,
    rules: () => ({ ipLimitNewest: settings.flag("ip_limit_newest") }),
    commits,
    reads,
    clock,
    random: Math.random,
    identity,
    version: program.version,
    shared: database.store.log !== undefined,
    token: (nodeId) => shards.token(nodeId),
    caughtUp,
    accounts: servedAccounts,
    recordTraffic,
    template: (id) => plannedTemplate(reads, id),
    templateTables: TEMPLATE_TABLES,
    heartbeats,
    signals,
    localKey: (nodeId) => keyOf(join(environment.dataDirectory, "agents", String(nodeId))),
    log: (level, message, fields) => log[level](fields, message),
  });
  undo.push(() => fleet.stop());
  standings.ports = fleet.standingPorts;
  nodeStops.standDown = (nodeId, timeoutMs) => fleet.holderRequests.standDown(nodeId, timeoutMs);
  const { privateTargets } = environment;
  return {
    routes: [
      ...nodeRoutes({ supervisor, reads, actor: node, claimTemplate, fleet, identity, privateTargets }),
      ...liveRoutes({ reads, fleet, accounts: servedAccounts, now: () => Math.floor(clock.now() / 1000) }),
    ],
    residents: { link: fleet.startLink, turn: fleet.startTurn },
    async prepare() {
      await enterStoredAddresses(commits, reads);
      // Before any agent of this machine is started for one of them.
      for (const id of await foreignNodes()) await switchOffNode(commits, { supervisor, actor: node }, id);
      const agents = localAgents(core, identity, staged);
      await agents.start();
      // They outlast the links to them, so that no link is lost at a stop.
      undo.push((how) => agents.stop(how === "stop" ? "stop" : "leave"));
    },
  };
}

function localAgents(
  { alone, clock, commits, environment, log, program, reads }: FleetCore,
  identity: LinkIdentity,
  staged: StagedFiles,
): LocalAgents {
  const say = (level: "info" | "warn" | "error", message: string, fields: Record<string, unknown>) =>
    log[level](fields, message);
  return new LocalAgents({
    reads,
    commits,
    clock,
    directory: join(environment.dataDirectory, "agents"),
    shared: !alone,
    trust: identity.certificate,
    engine: environment.engine,
    privateTargets: environment.privateTargets,
    command: program.command,
    confinement: new Confinement({
      root: program.root,
      node: process.execPath,
      searchPath: searchPath(process.env["PATH"] ?? "").path,
      stagedEngine: async (name) => {
        try {
          return (await staged.open("engine", name, ownArch()))?.path;
        } catch (error) {
          // The agent runs without it, as if it were on no PATH.
          say("warn", "a staged engine cannot be used", { name, error: String(error) });
          return undefined;
        }
      },
      directory: program.stage,
      now: Date.now,
      log: say,
    }),
    publicPorts: (nodeId) => publicPorts(reads, nodeId),
    log: say,
  });
}

export const feature = {
  name: "fleet",
  entities: fleetEntities,
  echo: { tables: [NodeRows], facts: FLEET_FACTS },
  settings: fleetSettings,
  events: fleetEvents,
  words: fleetWords,
  kinds,
  consequences: [departureOf(NodeRows, "node", ({ templateId }) => ({ was: templateId === null ? [] : [templateId] }))],
  forbidden: nodesForbidden,
  provide,
  open,
} as const satisfies AnyFeature;
