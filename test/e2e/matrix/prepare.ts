// What a client can be made to try: its subscription's entries, less what a node's warning or a limit of the client
// settles beforehand.
import type { UserAnswer } from "../api.ts";
import type { E2ePanel } from "../panel.ts";
import type { Cell } from "./cells.ts";
import { CLIENTS, type Client, entriesFor, objectionTo, type RunningClient, startClient, userOf } from "./clients.ts";
import { CLIENT_LIMITS, SERVER_LIMITS, SOLE_USER } from "./limits.ts";
import { type Server, type ServingNode, tagOf } from "./servers.ts";

/**
 * What became of a cell between a server and a client. `reason`: the node's warning, the client's limit, or what went
 * wrong.
 */
export interface Outcome {
  readonly cell: Cell;
  readonly server: Server;
  readonly client: Client;
  readonly state: "ok" | "refused" | "unspoken" | "failed";
  readonly reason: string;
}

/** The accounts of a client: entries name a flow for the second alone. */
export interface Accounts {
  readonly plain: UserAnswer;
  readonly vision: UserAnswer;
}

/** A way to be tried. */
export interface Job {
  /** `<user>.<inbound>`: who is counted for it. */
  readonly name: string;
  readonly cell: Cell;
  readonly server: Server;
  readonly client: Client;
  readonly user: string;
  readonly way: RunningClient;
}

interface Preparation {
  readonly panel: E2ePanel;
  readonly accounts: Accounts;
  readonly client: Client;
  readonly cells: readonly Cell[];
  readonly nodes: readonly ServingNode[];
  readonly port: number;
  /** The certificate of the cells as a file. */
  readonly trust: string;
}

/**
 * Sorts a client's cells into those that are settled by a warning or a limit and those to be tried, and starts the
 * client with the latter.
 */
export async function prepare({ panel, accounts, client, cells, nodes, port, trust }: Preparation) {
  const subscriptions = {
    plain: await entriesFor(panel.api, accounts.plain, client),
    vision: await entriesFor(panel.api, accounts.vision, client),
  };
  const settled: Outcome[] = [];
  const ways = new Map<string, Readonly<Record<string, unknown>>>();
  const tried: (Omit<Job, "user" | "way"> & { readonly entry: string })[] = [];
  const objections = new Map<string, Promise<string | undefined>>();
  for (const node of nodes) {
    for (const cell of cells) {
      const { server } = node;
      const entry = `${cell.name} ${server}`;
      const outbound = (cell.vision ? subscriptions.vision : subscriptions.plain).get(entry);
      const settle = (state: Outcome["state"], reason: string) => settled.push({ cell, server, client, state, reason });
      const refusal = refusalOf(node, cell, client);
      const limit = CLIENT_LIMITS[client].find(({ applies }) => applies(cell, server));
      if (refusal) settle(refusal.state, refusal.reason);
      else if (limit?.shown === "format")
        settle(outbound ? "failed" : "unspoken", outbound ? `${limit.why}, and yet there is an entry` : limit.why);
      else if (!outbound) settle("failed", "the subscription has no such entry");
      else if (limit?.shown === "silent") settle("unspoken", limit.why);
      else if (limit) {
        const kind = JSON.stringify([cell.protocol, cell.transport, cell.vision]);
        const objection = objections.get(kind) ?? objectionTo(client, entry, outbound);
        objections.set(kind, objection);
        settle((await objection) === undefined ? "failed" : "unspoken", limit.why);
      } else {
        ways.set(entry, outbound);
        const owner = cell.vision ? accounts.vision : accounts.plain;
        tried.push({ name: `${owner.id}.${countedUnder(node, cell, cells)}`, cell, server, client, entry });
      }
    }
  }
  if (tried.length === 0) return { run: [], settled, way: undefined };
  // It reads from links neither a pin nor that a certificate cannot be verified.
  const env: Readonly<Record<string, string>> = client === "mihomo by links" ? { SSL_CERT_FILE: trust } : {};
  const way = await startClient(client, ways, port, env);
  return { run: tried.map(({ entry, ...job }): Job => ({ ...job, user: userOf(ways, entry), way })), settled, way };
}

/**
 * The inbound under which a cell's traffic is counted: its own, or the one that the node names for inbounds whose users
 * its engine counts together.
 */
function countedUnder(node: ServingNode, cell: Cell, cells: readonly Cell[]): number {
  const together = node.warnings.find(
    (warning) => warning.includes("counts their users together") && warning.includes(tagOf(cell, node.server)),
  );
  const under = together === undefined ? cell : cells.find((each) => together.endsWith(` ${tagOf(each, node.server)}`));
  return node.inbounds.get((under ?? cell).name) ?? 0;
}

/** What a node's warnings have to say to a cell that its engine cannot serve, to this client's account. */
function refusalOf(node: ServingNode, cell: Cell, client: Client): Pick<Outcome, "state" | "reason"> | undefined {
  const warnings = node.warnings.filter((warning) => warning.includes(tagOf(cell, node.server)));
  const expected = SERVER_LIMITS[node.server].find(({ applies }) => applies(cell))?.says;
  const alone =
    SOLE_USER.server === node.server && SOLE_USER.applies(cell) && client !== CLIENTS[0] ? SOLE_USER.says : undefined;
  const says = expected ?? alone;
  if (!says) return undefined;
  const reason = warnings.find((warning) => says.test(warning));
  if (reason !== undefined) return { state: "refused", reason };
  return { state: "failed", reason: `no warning says ${says}; there are: ${warnings.join(" | ") || "none"}` };
}
