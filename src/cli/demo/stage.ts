// Sets the demo's panel up over its HTTP API, as an integration would: setup, sign-in, a token, inbounds, templates,
// accounts, nodes.
import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Panel, type User } from "../../client/index.ts";
import {
  fleetInbound,
  fleetUsers,
  LOCAL_NODE,
  LOCAL_USER,
  localInbounds,
  localUser,
  silentNode,
  simulatedNodes,
  TRAFFIC,
  type CastInbound,
  type CastNode,
} from "./cast.ts";
import { Child } from "./child.ts";
import { isServing } from "./serving.ts";

export const SETUP_TOKEN = "setup-token-of-the-demo";
export const OWNER = { username: "demo", password: "green over red" } as const;

const AGAIN_MS = 100;

/** What stands when the stage is set. */
export interface Stage {
  readonly simulate: Child;
  readonly user: User;
  /** Port of the local node's SOCKS and HTTP inbound. */
  readonly mixedPort: number;
}

export interface StageOptions {
  readonly panel: Panel;
  readonly directory: string;
  readonly signal: AbortSignal;
  /** Called with every child as soon as it starts, so that it can be stopped even if a later step fails. */
  readonly onChild: (child: Child) => void;
}

/** Finishes first-run setup if it is pending, signs in and makes an API token. Resolves to the token. */
export async function signIn(url: string, child: Child, signal: AbortSignal): Promise<string> {
  while (!(await isServing(url, signal))) await delay(AGAIN_MS, undefined, { signal });
  const anonymous = new Panel({ url, signal });
  const query = { t: SETUP_TOKEN };
  const { required } = await anonymous.call("getSetup", { query });
  if (required) {
    // The panel restarts itself after setup and says again where it listens.
    const restarted = child.said(/^Signalbox listens on/, signal);
    const body = { ...OWNER, settings: { web_tls_mode: "none" } };
    await Promise.all([anonymous.call("finishSetup", { query, body }), restarted]);
  }
  const { headers } = await anonymous.exchange("logIn", { body: OWNER });
  const cookie = headers.get("set-cookie")?.split(";", 1)[0] ?? "";
  const session = new Panel({
    url,
    signal,
    fetch: (to, init) => {
      const sent = new Headers(init.headers);
      sent.set("cookie", cookie);
      return fetch(to, { ...init, headers: sent });
    },
  });
  const { token } = await session.call("createToken", { body: { desc: "demo", rateLimit: 100_000 } });
  return token;
}

/** Fills an empty panel. */
export async function setStage(options: StageOptions): Promise<Stage> {
  const { panel } = options;
  const [agentPort, ...ports] = await freePorts(4);
  const [vless = 0, ws = 0, mixed = 0] = ports;
  const local = await makeTemplate(panel, "this machine", localInbounds([vless, ws, mixed]));
  const fleet = await makeTemplate(panel, "fleet", [fleetInbound]);
  const user = await panel.call("createUser", { body: localUser(local) });
  const users = fleetUsers(fleet, Math.floor(Date.now() / 1000));
  const { problems } = await panel.call("createUsers", { body: { users } });
  const [problem] = problems;
  if (problem) throw new Error(`account ${problem.index} of the batch was refused: ${problem.error}`);
  const { simulate, port } = await startSimulate(options, 0);
  const make = (node: CastNode, templateId: number, more: object = {}) =>
    panel.call("createNode", { body: { ...node, templateId, ...more } });
  const remark = "on this machine, embedded engine";
  await make({ name: LOCAL_NODE, address: "127.0.0.1", port: agentPort ?? 0, remark }, local, { isLocal: true });
  await Promise.all([...simulatedNodes(port), silentNode].map((node) => make(node, fleet)));
  return { simulate, user, mixedPort: mixed };
}

/** Takes up the stage that an earlier run set (`--keep`). Throws a sentence when the panel holds something else. */
export async function recallStage(options: StageOptions): Promise<Stage> {
  const { panel } = options;
  const [user] = (await panel.call("listUsers", { query: { name: LOCAL_USER } })).items;
  const { items: nodes } = await panel.call("listNodes", {});
  const { items: inbounds } = await panel.call("listInbounds", {});
  const [first] = simulatedNodes(0);
  const port = nodes.find(({ address }) => address === first?.address)?.port;
  const mixedPort = inbounds.find(({ tag }) => tag === "here-mixed")?.config["listen_port"];
  if (!user || port === undefined || typeof mixedPort !== "number") {
    throw new Error("the kept panel has lost parts of the demo: run it without --keep");
  }
  const { simulate } = await startSimulate(options, port);
  return { simulate, user, mixedPort };
}

async function makeTemplate(panel: Panel, name: string, inbounds: readonly CastInbound[]): Promise<number> {
  const inboundIds: number[] = [];
  for (const body of inbounds) inboundIds.push((await panel.call("createInbound", { body })).id);
  const { id } = await panel.call("createTemplate", { body: { name, inboundIds } });
  return id;
}

/** Starts the simulated fleet; `port` 0 takes a free one. */
async function startSimulate({ panel, directory, signal, onChild }: StageOptions, port: number) {
  const { certificate } = await panel.call("getPanelTrust", {});
  const trust = join(directory, "trust.pem");
  writeFileSync(trust, certificate, { mode: 0o600 });
  const { seed, activePercent, rate } = TRAFFIC;
  const traffic = ["--active", String(activePercent), "--rate", String(rate), "--seed", String(seed)];
  const argv = ["simulate", "--listen", `0.0.0.0:${port}`, "--trust", trust, ...traffic];
  const simulate = new Child({ name: "simulate", directory, argv, env: {} });
  onChild(simulate);
  const [, listening] = await simulate.said(/"listening":"[^"]*:(\d+)"/, signal);
  return { simulate, port: Number(listening) };
}

/** Ports on loopback that are free now. */
async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer();
      await new Promise<void>((resolve, reject) => server.once("error", reject).listen(0, "127.0.0.1", resolve));
      return server;
    }),
  );
  const ports = servers.map((server) => {
    const address = server.address();
    return typeof address === "object" && address !== null ? address.port : 0;
  });
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
