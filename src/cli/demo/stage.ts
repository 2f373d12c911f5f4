// Sets the demo's panel up over its HTTP API, as an integration would: setup, sign-in, a token, inbounds, templates,
// accounts, nodes.
import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import type { Api } from "./api.ts";
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
  type CastNode,
} from "./cast.ts";
import { Child } from "./child.ts";

export const SETUP_TOKEN = "setup-token-of-the-demo";
export const OWNER = { username: "demo", password: "green over red" } as const;

const AGAIN_MS = 100;

const Identified = z.object({ id: z.int() });
const Batch = z.object({
  created: z.array(Identified),
  problems: z.array(z.object({ index: z.int(), error: z.string() })),
});
const LocalUser = z.object({
  id: z.int(),
  name: z.string(),
  subUrl: z.string(),
  config: z.object({ uuid: z.string(), password: z.string() }),
});
export type LocalUser = z.infer<typeof LocalUser>;

/** What stands when the stage is set. */
export interface Stage {
  readonly simulate: Child;
  readonly user: LocalUser;
  /** Port of the local node's SOCKS and HTTP inbound. */
  readonly mixedPort: number;
}

export interface StageOptions {
  readonly api: Api;
  readonly directory: string;
  readonly signal: AbortSignal;
  /** Called with every child as soon as it starts, so that it can be stopped even if a later step fails. */
  readonly onChild: (child: Child) => void;
}

/** Finishes first-run setup if it is pending, signs in and makes an API token. Resolves to the token. */
export async function signIn(api: Api, panel: Child, signal: AbortSignal): Promise<string> {
  await serving(api, signal);
  const { required } = await api.call("GET", `/setup?t=${SETUP_TOKEN}`, z.object({ required: z.boolean() }));
  if (required) {
    // The panel restarts itself after setup and says again where it listens.
    const restarted = panel.said(/^Signalbox listens on/, signal);
    const body = { ...OWNER, settings: { web_tls_mode: "none" } };
    await Promise.all([
      api.call("POST", `/setup?t=${SETUP_TOKEN}`, z.object({ status: z.literal("ok") }), { body }),
      restarted,
    ]);
  }
  const { headers } = await api.exchange("POST", "/login", { body: OWNER });
  const cookie = headers.get("set-cookie")?.split(";", 1)[0] ?? "";
  const { token } = await api.call("POST", "/tokens", z.object({ token: z.string() }), {
    headers: { cookie },
    body: { desc: "demo", rateLimit: 100_000 },
  });
  return token;
}

/** Fills an empty panel. */
export async function setStage(options: StageOptions): Promise<Stage> {
  const { api } = options;
  const [agentPort, ...ports] = await freePorts(4);
  const [vless = 0, ws = 0, mixed = 0] = ports;
  const local = await makeTemplate(api, "this machine", localInbounds([vless, ws, mixed]));
  const fleet = await makeTemplate(api, "fleet", [fleetInbound]);
  const user = await api.call("POST", "/users", LocalUser, { body: localUser(local) });
  const users = fleetUsers(fleet, Math.floor(Date.now() / 1000));
  const { problems } = await api.call("POST", "/users/batch", Batch, { body: { users } });
  const [problem] = problems;
  if (problem) throw new Error(`account ${problem.index} of the batch was refused: ${problem.error}`);
  const { simulate, port } = await startSimulate(options, 0);
  const make = (node: CastNode, templateId: number, more: object = {}) =>
    api.call("POST", "/nodes", Identified, { body: { ...node, templateId, ...more } });
  const remark = "on this machine, embedded engine";
  await make({ name: LOCAL_NODE, address: "127.0.0.1", port: agentPort ?? 0, remark }, local, { isLocal: true });
  await Promise.all([...simulatedNodes(port), silentNode].map((node) => make(node, fleet)));
  return { simulate, user, mixedPort: mixed };
}

/** Takes up the stage that an earlier run set (`--keep`). Throws a sentence when the panel holds something else. */
export async function recallStage(options: StageOptions): Promise<Stage> {
  const { api } = options;
  const users = await api.call("GET", `/users?q=${LOCAL_USER}`, z.array(LocalUser));
  const nodes = await api.call(
    "GET",
    "/nodes",
    z.array(z.object({ name: z.string(), address: z.string(), port: z.int() })),
  );
  const inbounds = await api.call(
    "GET",
    "/inbounds",
    z.array(z.object({ tag: z.string(), config: z.looseObject({ listen_port: z.int() }) })),
  );
  const user = users.find(({ name }) => name === LOCAL_USER);
  const [first] = simulatedNodes(0);
  const port = nodes.find(({ address }) => address === first?.address)?.port;
  const mixedPort = inbounds.find(({ tag }) => tag === "here-mixed")?.config.listen_port;
  if (!user || port === undefined || mixedPort === undefined) {
    throw new Error("the kept panel has lost parts of the demo: run it without --keep");
  }
  const { simulate } = await startSimulate(options, port);
  return { simulate, user, mixedPort };
}

/** Resolves once the panel serves. */
async function serving(api: Api, signal: AbortSignal): Promise<void> {
  while (!(await api.isServing())) await delay(AGAIN_MS, undefined, { signal });
}

async function makeTemplate(api: Api, name: string, inbounds: readonly object[]): Promise<number> {
  const made = [];
  for (const body of inbounds) made.push(await api.call("POST", "/inbounds", Identified, { body }));
  const { id } = await api.call("POST", "/templates", Identified, {
    body: { name, inboundIds: made.map((inbound) => inbound.id) },
  });
  return id;
}

/** Starts the simulated fleet; `port` 0 takes a free one. */
async function startSimulate({ api, directory, signal, onChild }: StageOptions, port: number) {
  const { certificate } = await api.call("GET", "/nodes/install/trust", z.object({ certificate: z.string() }));
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
