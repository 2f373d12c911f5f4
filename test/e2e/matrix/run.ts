// One run of the matrix: a panel, a node for each engine, a client for each program, and the payload through every cell
// that both can do.
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createServer } from "node:tls";
import { generateKeyPairSync } from "node:crypto";
import { engineFactories } from "../../../src/agent/engines/all.ts";
import type { EngineInfo } from "../../../src/agent/engines/contract/driver.ts";
import { chooseEngine } from "../../../src/agent/engines/index.ts";
import { issueSelfSigned } from "../../../src/certificates/testing.ts";
import { startPanel, type E2ePanel } from "../panel.ts";
import { type Cell, cellsOf, type CellKeys } from "./cells.ts";
import { HERE, type Client } from "./clients.ts";
import { type Counted, settleCounts, type Travelled } from "./counts.ts";
import { exchange, startEcho } from "./echo.ts";
import { type Accounts, type Job, type Outcome, prepare } from "./prepare.ts";
import { quietPorts, SERVERS, type Server, type ServingNode, startServer, tagOf } from "./servers.ts";

const SERVER_NAME = "node.test";
/** Exchanges under way at once. */
const AT_ONCE = 8;
const MOST_MS = 170_000;

export interface MatrixRun {
  readonly cells: readonly Cell[];
  readonly outcomes: readonly Outcome[];
  readonly counted: readonly Counted[];
  /** Panel against agents, where they differ. */
  readonly differences: readonly string[];
  /** By server: warnings for inbounds that are served all the same. */
  readonly notes: ReadonlyMap<Server, readonly string[]>;
  /** The engines as their drivers see them. */
  readonly engines: readonly EngineInfo[];
  /** What agents and clients wrote. */
  readonly output: string;
  /** What outlived its end. */
  readonly leftovers: readonly string[];
}

/** Everything that is started, ended together whatever happens; what is started after that is ended at once. */
class Started {
  readonly #ends: (() => Promise<unknown>)[] = [];
  #over = false;

  atEnd(end: () => Promise<unknown>): void {
    if (this.#over) void end();
    else this.#ends.push(end);
  }

  async end(): Promise<void> {
    this.#over = true;
    await Promise.all(this.#ends.splice(0).map(async (end) => end()));
  }
}

/** The site whose handshake REALITY borrows. */
async function startSite(
  keys: Pick<CellKeys, "certificate" | "key">,
): Promise<{ port: number; close: () => Promise<void> }> {
  const site = createServer(
    { cert: keys.certificate, key: keys.key, minVersion: "TLSv1.3", ALPNProtocols: ["h2", "http/1.1"] },
    (socket) => socket.on("error", () => socket.destroy()),
  ).listen(0, "127.0.0.1");
  site.on("tlsClientError", () => undefined);
  await once(site, "listening");
  return {
    port: (site.address() as AddressInfo).port,
    close: async () => {
      site.close();
      await once(site, "close");
    },
  };
}

async function secrets(): Promise<Omit<CellKeys, "handshake">> {
  const { certificate, privateKey } = await issueSelfSigned([SERVER_NAME], Date.now());
  const { d = "" } = generateKeyPairSync("x25519").privateKey.export({ format: "jwk" });
  return { certificate, key: privateKey, serverName: SERVER_NAME, realityKey: d };
}

/** Throws when one is not installed. */
async function probe(servers: readonly Server[]): Promise<EngineInfo[]> {
  return Promise.all(servers.map(async (server) => (await chooseEngine(server, engineFactories)).info));
}

/** What all parts of a run share. */
interface Ground {
  readonly panel: E2ePanel;
  readonly started: Started;
  readonly servers: readonly Server[];
}

/**
 * Runs the matrix with these engines as servers. Rejects when something cannot be started at all, or all of it is not
 * done in time; nothing is left running then either.
 */
export async function runMatrix(servers: readonly Server[] = SERVERS): Promise<MatrixRun> {
  const started = new Started();
  const panel = await startPanel();
  let late: NodeJS.Timeout | undefined;
  try {
    const deadline = new Promise<never>((_, reject) => {
      late = setTimeout(() => reject(new Error(`the matrix was not done within ${MOST_MS / 1000} s`)), MOST_MS);
    });
    const run = await Promise.race([carryOut({ panel, started, servers }), deadline]);
    await started.end();
    return { ...run, leftovers: panel.leftovers().map(({ command }) => command) };
  } finally {
    clearTimeout(late);
    await started.end();
    await panel.dispose();
  }
}

async function carryOut({ panel, started, servers }: Ground): Promise<Omit<MatrixRun, "leftovers">> {
  const engines = await probe(servers);
  const keys = await secrets();
  const site = await startSite(keys);
  started.atEnd(() => site.close());
  const echo = await startEcho();
  started.atEnd(() => echo.close());
  const cells = cellsOf({ ...keys, handshake: { server: "127.0.0.1", server_port: site.port } });
  const accounts = await makeAccounts(panel);
  const trust = join(panel.directory, "cells.pem");
  writeFileSync(trust, keys.certificate);
  const ports = await quietPorts(servers.length * (cells.length + 1) + HERE.length);
  const shared = {
    api: panel.api,
    directory: panel.directory,
    cells,
    atEnd: (end: () => Promise<unknown>) => started.atEnd(end),
  };
  const nodes = await Promise.all(
    servers.map(async (server, index) => {
      const own = ports.slice(index * (cells.length + 1), (index + 1) * (cells.length + 1));
      return startServer({ ...shared, server, ports: own });
    }),
  );
  const outcomes: Outcome[] = [];
  const prepared = await Promise.all(
    HERE.map(async (client, index) => {
      const preparation = await prepare({
        panel,
        accounts: accounts[client],
        client,
        cells,
        nodes,
        port: ports.at(-1 - index) ?? 0,
        trust,
      });
      if (preparation.way) started.atEnd(preparation.way.close);
      return preparation;
    }),
  );
  outcomes.push(...prepared.flatMap(({ settled }) => settled));
  const travelled = new Map<string, Travelled>();
  await inParallel(
    prepared.flatMap(({ run }) => run),
    async (job) => {
      const { outcome, rounds } = await carry(job, echo.port);
      outcomes.push(outcome);
      const { exchanges, tries: tried } = travelled.get(job.name) ?? { exchanges: 0, tries: 0 };
      travelled.set(job.name, { exchanges: exchanges + (outcome.state === "ok" ? 1 : 0), tries: tried + rounds });
    },
  );
  const users = Object.values(accounts).flatMap(({ plain, vision }) => [plain, vision]);
  const { counted, differences } = await settleCounts(panel, users, nodes, travelled);
  const notes = new Map(nodes.map((node) => [node.server, notesOf(node, cells, outcomes)]));
  const output = [...nodes, ...prepared.flatMap(({ way }) => way ?? [])].map((each) => each.output).join("\n");
  return { cells, outcomes, counted, differences, notes, engines, output };
}

/**
 * Two accounts for each client, in the order of the clients. `SOLE_USER` is about the very first.
 */
async function makeAccounts(panel: E2ePanel): Promise<Readonly<Record<Client, Accounts>>> {
  const make = async (name: string, flow: string) => panel.makeUser(name, { config: { flow } });
  const [xray, singBox, v2ray] = [await pair("xray"), await pair("sing-box"), await pair("v2ray")];
  const [mihomo, byLinks] = [await pair("mihomo"), await pair("mihomo by links")];
  return { xray, "sing-box": singBox, v2ray, mihomo, "mihomo by links": byLinks };

  async function pair(client: Client): Promise<Accounts> {
    return { plain: await make(client, ""), vision: await make(`${client}-vision`, "xtls-rprx-vision") };
  }
}

/** Times that a way with a known fault is tried. */
const TRIES = 5;

/**
 * Whether the first connection may be lost although nothing here is wrong. The httpupgrade server of sing-box answers
 * before it takes the connection over, and drops what comes in between. Xray as a client over grpc gives a server five
 * seconds for everything; a server whose REALITY waits for a site on a busy machine may need them.
 */
function isLossy({ cell, server, client }: Job): boolean {
  const upgrades = server === "sing-box" && cell.transport === "httpupgrade";
  const hurries = client === "xray" && cell.transport === "grpc" && cell.security === "reality";
  return upgrades || hurries;
}

async function carry(job: Job, originPort: number): Promise<{ outcome: Outcome; rounds: number }> {
  const { cell, server, client, user, way } = job;
  const reasons: string[] = [];
  const stays = client === "v2ray" && cell.transport === "ws";
  const rounds = isLossy(job) ? TRIES : 1;
  while (reasons.length < rounds) {
    try {
      await exchange({ socksPort: way.socksPort, user, originPort, eager: client !== "sing-box", stays });
      return { outcome: { cell, server, client, state: "ok", reason: "" }, rounds: reasons.length + 1 };
    } catch (error) {
      reasons.push(error instanceof Error ? error.message : String(error));
    }
  }
  return { outcome: { cell, server, client, state: "failed", reason: [...new Set(reasons)].join("; ") }, rounds };
}

async function inParallel(jobs: readonly Job[], work: (job: Job) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async () => {
    for (let job = jobs[next++]; job; job = jobs[next++]) await work(job);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/** Warnings of a node for inbounds that carry traffic, the inbound's tag taken out, each once. */
function notesOf(node: ServingNode, cells: readonly Cell[], outcomes: readonly Outcome[]): readonly string[] {
  const served = new Set(
    outcomes
      .filter(({ server, state }) => server === node.server && state === "ok")
      .map(({ cell }) => tagOf(cell, node.server)),
  );
  const notes = node.warnings.flatMap((warning) => {
    const tag = cells.map((cell) => tagOf(cell, node.server)).find((each) => warning.includes(`${each}:`));
    return tag === undefined ? [warning] : served.has(tag) ? [warning.replace(/^inbound \S+: /, "")] : [];
  });
  return [...new Set(notes)].toSorted();
}
