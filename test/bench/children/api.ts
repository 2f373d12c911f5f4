// The panel's HTTP surface over counters: the real server, tokens, settings, audit log and outbox around one command
// and one read, with the same command behind a bare route. Set up over its own API.
import pino from "pino";
import { z } from "zod";
import { accessEntities, accessPorts, accessRoutes, openAccess } from "../../../src/access/testing.ts";
import { createApi, httpEntities, type Api } from "../../../src/http/index.ts";
import { openOutgoing } from "../../../src/outgoing/index.ts";
import { Settings } from "../../../src/system/index.ts";
import { settingsRoutes, systemEntities } from "../../../src/system/testing.ts";
import { PANEL } from "../../../src/panel/features.ts";
import { connectCounters, counter } from "../counters/actors.ts";
import { bareCounters, counterRoutes } from "../counters/routes.ts";
import { openRuntime } from "../counters/runtime.ts";
import { answerParent, beforeEnd, portOf } from "../measure/child.ts";

const Order = z.object({ url: z.string(), tokens: z.int() });
const SETUP_TOKEN = "the-setup-token-of-the-bench";
const PASSWORD = "correct horse battery";

/** `bare`: the port on which the same command is reached without the API. */
async function serve(url: string): Promise<{ api: Api; bare: number }> {
  const db = await connectCounters(url, [...accessEntities, ...systemEntities, ...httpEntities]);
  const { commits, reads } = db;
  const { supervisor, processes, follower, stop } = await openRuntime(db, counter);
  const secretKey = new Uint8Array(32).fill(3);
  const log = pino({ level: "silent" });
  const settings = await Settings.open({ commits, reads, secretKey, entries: PANEL.settings });
  const { outbox } = supervisor;
  const ports = { restart: () => {} };
  const { fetch } = openOutgoing();
  const access = await openAccess({
    commits,
    reads,
    outbox,
    settings,
    secretKey,
    privatePlaces: [],
    now: Date.now,
    log,
    fetch,
    followed: follower !== undefined,
    boot: db.boot,
    ...(processes && { liveness: processes }),
    env: { setupToken: SETUP_TOKEN },
    ports,
  });
  const api = await createApi({
    routes: [
      ...accessRoutes(access),
      ...settingsRoutes({ settings, outbox, secretKey, privatePlaces: [], fetch }),
      ...counterRoutes(db, supervisor),
    ],
    ports: accessPorts(access),
    options: {
      commits,
      reads,
      ping: () => db.store.ping(),
      caughtUp: () => follower?.caughtUp(),
      now: Date.now,
      log,
      secretKey,
      boot: db.boot,
      ...(processes && { liveness: processes }),
      basePath: "",
      trustedProxies: () => settings.addresses("trusted_proxies"),
      version: "0.0.0-bench",
    },
  });
  const bare = bareCounters(db, supervisor);
  await api.app.listen({ host: "127.0.0.1", port: 0 });
  await bare.listen({ host: "127.0.0.1", port: 0 });
  await supervisor.start();
  beforeEnd(async () => {
    await bare.close();
    await api.close();
    await access.close();
    settings.close();
    await stop();
    await db.close();
  });
  return { api, bare: portOf(bare.server) };
}

/** Finishes setup and makes tokens whose budgets the bench will not use up. */
async function setUp({ app }: Api, count: number): Promise<string[]> {
  const send = async (url: string, payload: object, headers: Record<string, string> = {}) => {
    const answer = await app.inject({ method: "POST", url, payload, headers });
    if (answer.statusCode !== 200) throw new Error(`${url}: ${answer.body}`);
    return answer;
  };
  const admin = { username: "root", password: PASSWORD };
  await send(`/api/setup?t=${SETUP_TOKEN}`, { ...admin, settings: { web_tls_mode: "none" } });
  const login = await send("/api/login", admin);
  const cookie = String(login.headers["set-cookie"]).split(";")[0] ?? "";
  const tokens: string[] = [];
  for (let index = 0; index < count; index++) {
    const created = await send("/api/tokens", { desc: `bench ${index}`, rateLimit: 1_000_000 }, { cookie });
    tokens.push(z.object({ token: z.string() }).parse(created.json()).token);
  }
  return tokens;
}

answerParent(async (message) => {
  const { url, tokens } = Order.parse(message);
  const { api, bare } = await serve(url);
  return { bare, port: portOf(api.app.server), tokens: await setUp(api, tokens) };
});
