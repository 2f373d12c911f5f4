// A reseller closes among a thousand with a thousand users each (or what the arguments say), on a panel with a
// simulated fleet: how long until no node serves its users, until their records say so, and what other requests wait
// meanwhile.
//
//   node bin/node24.mjs test/bench/resellers.ts [resellers] [users of each] [nodes] [sqlite|postgresql]
import { setTimeout as pause } from "node:timers/promises";
import { bucketOf } from "../../src/protocol/digest.ts";
import { entities } from "../../src/panel/entities.ts";
import { connectTestDatabase, dialects } from "../database.ts";
import { identityOf, viewAgent } from "../e2e/agent-view.ts";
import { addressOf, makeMany, nodesWith, startFleet } from "../e2e/fleet.ts";
import { startPanel, type E2ePanel } from "../e2e/panel.ts";
import { quietPorts } from "../quiet-ports.ts";
import { settle } from "./counters/actors.ts";
import { copyRow } from "./counters/copies.ts";
import { HttpLoad } from "./measure/http-load.ts";
import { printTable, thousands, type Cell } from "./measure/table.ts";

const numbers = process.argv.slice(2).map(Number);
const [resellers = 1000, each = 1000, nodes = 10] = numbers.filter((value) => !Number.isNaN(value));
/** Half of the users are on nodes: each user is on one template, each node has one of the first. */
const TEMPLATES = nodes * 2;
const CONNECTIONS = 8;
const SECONDS = 6;
const SHOP = { username: "shop", role: "resale" };
const LARGE = 10 ** 15;

interface Shop {
  readonly state: string;
}

async function measure(dialect: (typeof dialects)[number]): Promise<void> {
  const panel = await startPanel({ dialect });
  const [port = 0] = await quietPorts(1);
  const root = await panel.logIn();
  const tokens = await Promise.all(
    Array.from({ length: CONNECTIONS }, (_, index) =>
      root.ok("POST", "/tokens", { desc: `bench ${index}`, rateLimit: 1_000_000 }),
    ),
  );
  const headers = tokens.map((made) => ({ authorization: `Bearer ${(made as { token: string }).token}` }));
  const inbounds = await makeMany(panel.api, "inbounds", TEMPLATES, (index) => ({
    tag: `in-${index}`,
    type: "vless",
    config: { listen_port: 20_000 + index },
  }));
  const templates = await makeMany(panel.api, "templates", TEMPLATES, (index) => ({
    name: `template-${index}`,
    inboundIds: [inbounds[index]],
  }));
  const made = await root.ok("POST", "/admins", { ...SHOP, password: "correct horse battery", volume: LARGE });
  const shop = (made as { id: number }).id;
  const user = await panel.api.make("users", { name: "first", adminId: shop, templateIds: [templates[0]] });
  await panel.stop();
  await copies(panel, shop, user, templates);
  await panel.start();
  const fleet = await startFleet(panel.api, { directory: panel.directory, port, active: 0, rate: 0 });
  const load = new HttpLoad(resellers * each);
  try {
    await makeMany(panel.api, "nodes", nodes, (index) => ({
      name: `node-${index}`,
      address: addressOf(index),
      port,
      templateId: templates[index],
    }));
    while ((await nodesWith(panel.api, "connected")) < nodes) await pause(200);
    const identity = await identityOf(panel.directory, panel.databaseUrl);
    const agents = await Promise.all(
      Array.from({ length: nodes }, (_, index) => viewAgent(identity, addressOf(index), port)),
    );
    const served = () => Promise.all(agents.map((agent) => agent.buckets()));
    // Until all have all their users.
    for (let last = ""; ;) {
      const now = JSON.stringify(await served());
      if (now === last) break;
      last = now;
      await pause(3000);
    }
    const target = {
      port: Number(new URL(panel.url).port),
      method: "GET",
      path: "/api/v1/users/{id}",
      headers,
      servers: [],
    } as const;
    /** The buckets of each node in which the reseller's users are. */
    const own = agents.map((_, node) => {
      const ids = Array.from({ length: each }, (__, index) => user + index);
      return new Set(ids.filter((id) => (id - user) % TEMPLATES === node).map(bucketOf));
    });
    await load.run(target, CONNECTIONS, 2000);
    const alone = await load.run(target, CONNECTIONS, SECONDS * 1000);
    const rows: Cell[][] = [["nothing else", "", "", alone.rate, alone.p50, alone.p99]];
    for (const [name, volume, arrives] of [
      ["closes", 1, "closed"],
      ["opens", LARGE, "open"],
    ] as const) {
      const before = await served();
      const beside = load.run(target, CONNECTIONS, SECONDS * 1000);
      await pause(1000);
      const began = performance.now();
      await root.ok("PUT", `/admins/${shop}`, { ...SHOP, volume });
      const followed = until(async () => ((await root.ok("GET", `/admins/${shop}`)) as Shop).state === arrives, began);
      const withdrawn = until(async () => {
        const now = await served();
        return now.every((buckets, node) => [...(own[node] ?? [])].every((at) => buckets[at] !== before[node]?.[at]));
      }, began);
      const [rowsMs, nodesMs, { rate, p50, p99 }] = await Promise.all([followed, withdrawn, beside]);
      const after = await served();
      const touched = after.flatMap((buckets, node) =>
        buckets.filter((digest, at) => digest !== before[node]?.[at] && !own[node]?.has(at)),
      );
      if (touched.length > 0) throw new Error(`${touched.length} buckets of other users changed`);
      rows.push([`a reseller ${name}`, nodesMs, rowsMs, rate, p50, p99]);
    }
    printTable(
      `One of ${thousands(resellers)} resellers with ${thousands(each)} users each, ${nodes} nodes, ${dialect}`,
      ["meanwhile", "nodes ms", "records ms", "reads/s", "p50 ms", "p99 ms"],
      rows,
    );
    for (const agent of agents) agent.close();
  } finally {
    await load.end();
    await fleet.stop();
    await panel.dispose();
  }
}

/** The other resellers and all users, as copies of the first; the panel is stopped. */
async function copies(panel: E2ePanel, shop: number, user: number, templates: readonly number[]): Promise<void> {
  const db = await connectTestDatabase(panel.databaseUrl, entities);
  const others = { from: shop + 1, to: shop + resellers - 1 };
  const many = { from: user + 1, to: user + resellers * each - 1 };
  const owner = `${shop} + (n - ${user}) / ${each}`;
  const first = templates[0] ?? 0;
  const template = `'[' || (${first} + (n - ${user}) % ${TEMPLATES}) || ']'`;
  const ids = db.dialect === "sqlite" ? template : `(${template})::jsonb`;
  const unique = { name: "'user ' || n", sub_token: "'token' || n", sub_id: "'sub' || n" };
  await copyRow(db, "admins", String(shop), others, {
    id: "n",
    username: "'shop-' || n",
    username_key: "'shop-' || n",
  });
  for (const table of ["resellers", "reseller_usage", "owner_counts"])
    await copyRow(db, table, String(shop), others, { id: "n" });
  await copyRow(db, "users", String(user), many, { id: "n", ...unique, admin_id: owner, template_ids: ids });
  await copyRow(db, "user_usage", String(user), many, { id: "n", admin_id: owner });
  // An allowance of one byte is spent.
  for (const text of [
    `update owner_counts set users = ${each}`,
    `update reseller_usage set used = 1 where id = ${shop}`,
  ])
    await db.commits.execute({ name: "bench", statements: [{ label: "bench", text, values: [] }] });
  await settle(db);
  await db.close();
}

/** Milliseconds since `began` when it holds. */
async function until(holds: () => Promise<boolean>, began: number): Promise<number> {
  while (!(await holds())) await pause(2);
  return performance.now() - began;
}

const asked = process.argv.find((value) => value === "sqlite" || value === "postgresql");
for (const dialect of dialects) if (asked === undefined || asked === dialect) await measure(dialect);
