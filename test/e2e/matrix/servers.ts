// The servers of the matrix: for each engine a real agent, dialled by the panel as a node of its own, with an inbound
// for every cell.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { z } from "zod";
import type { Api } from "../api.ts";
import { makeMany } from "../fleet.ts";
import { Program, SIGNALBOX } from "../processes.ts";
import type { Cell } from "./cells.ts";

/** Engines that a node may run here, best first: the order of the table's columns. */
export const SERVERS = ["xray", "sing-box", "v2ray", "embedded"] as const;
export type Server = (typeof SERVERS)[number];

export interface ServingNode {
  readonly server: Server;
  readonly nodeId: number;
  /** By the cell's name. */
  readonly inbounds: ReadonlyMap<string, number>;
  /** What the node says that it does not serve, or not wholly. */
  readonly warnings: readonly string[];
  /** Bytes by `<user>.<inbound>` as the agent's ledger has them. */
  counted(): ReadonlyMap<string, { readonly up: number; readonly down: number }>;
  /** What the agent wrote. */
  readonly output: string;
}

export interface ServerOptions {
  readonly api: Api;
  /** The test's own directory; the agent's data goes below it. */
  readonly directory: string;
  readonly server: Server;
  readonly cells: readonly Cell[];
  /** One for each cell, and one for the agent. */
  readonly ports: readonly number[];
  /** Translator how to end the agent as soon as there is one: what follows may fail. */
  readonly atEnd: (end: () => Promise<unknown>) => void;
}

/** The tag of a cell's inbound at a server. */
export function tagOf(cell: Cell, server: Server): string {
  return `${cell.name.replaceAll(" ", "-")}@${server}`;
}

/** Starts the agent and makes inbounds, template and node. Resolves when the node is connected and serves. */
export async function startServer({
  api,
  directory,
  server,
  cells,
  ports,
  atEnd,
}: ServerOptions): Promise<ServingNode> {
  const home = join(directory, "agents", `matrix-${server}`);
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const { certificate } = z.object({ certificate: z.string() }).parse(await api.ok("GET", "/nodes/install/trust"));
  const trust = join(home, "trust.pem");
  const data = join(home, "data");
  writeFileSync(trust, certificate);
  const port = ports[cells.length] ?? 0;
  const where = ["--listen", `127.0.0.1:${port}`, "--data", data, "--trust", trust];
  const program = new Program({
    command: process.execPath,
    args: [...SIGNALBOX, "agent", ...where, "--engine", server, "--private-targets", "allow"],
  });
  // It ends its engine, and takes back what it told the kernel.
  atEnd(() => program.end("SIGTERM"));
  await program.says(/"listening"/);
  const ids = await makeMany(api, "inbounds", cells.length, (index) =>
    inboundOf(cells[index], server, ports[index] ?? 0),
  );
  const templateId = await api.make("templates", { name: `matrix-${server}`, inboundIds: ids });
  const nodeId = await api.make("nodes", { name: server, address: "127.0.0.1", port, templateId });
  const warnings = await applied(api, nodeId, program);
  return {
    server,
    nodeId,
    inbounds: new Map(cells.map(({ name }, index) => [name, ids[index] ?? 0])),
    warnings,
    counted: () => readLedger(join(data, "ledger.log")),
    get output() {
      return program.output;
    },
  };
}

function inboundOf(cell: Cell | undefined, server: Server, port: number): object {
  if (!cell) throw new Error("there is a port for every cell");
  const config = { listen: "127.0.0.1", listen_port: port, ...cell.config };
  return { tag: tagOf(cell, server), type: cell.type, remark: cell.name, config };
}

/** The node's warnings: it is connected once its agent has carried everything out. */
async function applied(api: Api, nodeId: number, program: Program): Promise<readonly string[]> {
  const end = performance.now() + 60_000;
  for (;;) {
    const { status, message, warnings } = await api.node(nodeId);
    if (status === "connected") return warnings;
    if (!program.running || performance.now() > end)
      throw new Error(`node ${nodeId} is ${status} (${message}):\n${program.output.slice(-2000)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const Row = z.tuple([z.int(), z.int(), z.int(), z.int(), z.int(), z.int(), z.int()]);
const Counters = z.tuple([z.int(), z.int(), z.int(), z.int()]);
const Records = z.union([
  z.object({ t: z.literal("use"), rows: z.array(Row) }),
  z.object({ t: z.literal("life"), counters: z.array(Counters) }),
  z.object({ t: z.string() }),
]);

/**
 * The engine's counters, absolute, as the last record of each user and inbound has them: lines of `<length> <checksum>
 * <JSON>`.
 */
function readLedger(path: string): Map<string, { up: number; down: number }> {
  const counters = new Map<string, { up: number; down: number }>();
  for (const line of readFileSync(path, "utf8").split("\n")) {
    const json = /^\d+ [0-9a-f]{8} (\{.*\})$/.exec(line)?.[1];
    if (json === undefined) continue;
    const record = Records.parse(JSON.parse(json));
    if ("counters" in record)
      for (const [user, inbound, up, down] of record.counters) counters.set(`${user}.${inbound}`, { up, down });
    if ("rows" in record)
      for (const [user, inbound, , , , up, down] of record.rows) counters.set(`${user}.${inbound}`, { up, down });
  }
  return counters;
}

const RANGE = { first: 10_000, size: 4000 };

/**
 * Ports that nobody listens on, from a range of the matrix's own: it needs hundreds at once, some of which only the
 * port map holds, so that others would find them free.
 */
export async function quietPorts(count: number): Promise<number[]> {
  const found: number[] = [];
  const start = Math.floor(Math.random() * RANGE.size);
  for (let offset = 0; found.length < count && offset < RANGE.size; offset++) {
    const port = RANGE.first + ((start + offset) % RANGE.size);
    if (await isFree(port)) found.push(port);
  }
  if (found.length < count) throw new Error(`there are no ${count} free ports from ${RANGE.first} on`);
  return found;
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once("error", () => resolve(false));
    server.listen({ port, exclusive: true }, () => server.close(() => resolve(true)));
  });
}
