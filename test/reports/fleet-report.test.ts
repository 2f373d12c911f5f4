// A simulated fleet's own report against every route of traffic, to the byte: what each account used on each node, what
// each node carried, and what a reseller's accounts moved; as JSON, CSV and NDJSON; and who may ask what.
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startFleet, type RunningFleet } from "../../src/agent/simulate/fleet.ts";
import { dialects } from "../database.ts";
import { until } from "../fleet/panel-side.ts";
import { WholePanel } from "../whole-panel.ts";

interface Bytes {
  up: number;
  down: number;
}
interface FleetReport {
  readonly nodes: Readonly<Record<string, { readonly users: Readonly<Record<string, Bytes>> }>>;
}

const none = (): Bytes => ({ up: 0, down: 0 });
const sum = (all: readonly Bytes[]): Bytes =>
  all.reduce((total, { up, down }) => ({ up: total.up + up, down: total.down + down }), none());
const heavier = (a: Bytes, b: Bytes) => b.up + b.down - a.up - a.down;

describe.each(dialects)("traffic and reports on %s", (dialect) => {
  let panel: WholePanel;
  let fleet: RunningFleet | undefined;
  const tokens: Record<string, string> = {};
  let shop: number;
  const users: number[] = [];
  const nodes: { id: number; address: string }[] = [];
  /** Bytes by account and node, as the fleet counted them. */
  const told = new Map<number, Map<number, Bytes>>();

  const made = async (path: string, body: object): Promise<number> => {
    const answer = await panel.call("POST", `/api/v1${path}`, body);
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text}`);
    return answer.body.id;
  };
  const ask = (path: string, token = panel.token) =>
    panel.call("GET", `/api/v1${path}`, undefined, { authorization: `Bearer ${token}` });
  const ok = async (path: string, token?: string) => {
    const answer = await ask(path, token);
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text}`);
    return answer.body;
  };
  const byNode = (user: number) => [...(told.get(user) ?? [])].map(([id, bytes]) => ({ id, ...bytes }));
  const ofUser = (user: number) => sum(byNode(user));
  const ofNode = (node: number) => sum([...told.values()].map((each) => each.get(node) ?? none()));
  const owned = () => users.filter((_, index) => index % 3 === 0);
  const token = async (scopes: string[], adminId?: number) =>
    (
      await panel.call(
        "POST",
        "/api/v1/tokens",
        { desc: "t", scopes, ...(adminId !== undefined && { adminId }) },
        { cookie: panel.cookie },
      )
    ).body.token;

  beforeAll(async () => {
    panel = await WholePanel.open(dialect);
    const inbound = await made("/inbounds", { tag: "in", type: "vless", config: { listen_port: 20_000 } });
    const templateId = await made("/templates", { name: "t", inboundIds: [inbound] });
    shop = await made("/admins", { username: "shop", password: "correct horse", role: "resale" });
    for (let index = 0; index < 7; index++)
      users.push(
        await made("/users", {
          name: index === 1 ? "=cmd|x" : `user-${index}`,
          templateIds: [templateId],
          ...(index % 3 === 0 && { adminId: shop }),
        }),
      );
    tokens["statistics"] = await token(["stats:read"]);
    tokens["users"] = await token(["users:read"]);
    tokens["nodes"] = await token(["nodes:read"]);
    tokens["shop"] = await token([], shop);
    const trustFile = join(panel.directory, "trust.pem");
    await writeFile(trustFile, (await panel.call("GET", "/api/v1/nodes/install/trust")).body.certificate);
    const reportPath = join(panel.directory, "report.json");
    fleet = await startFleet({
      host: "0.0.0.0",
      port: 0,
      trustFile,
      reportPath,
      activeShare: 1,
      rate: 9001,
      seed: 3,
      tickMs: 200,
      log: pino({ level: "silent" }),
    });
    for (const address of ["127.0.0.21", "127.0.0.22"])
      nodes.push({
        id: await made("/nodes", { name: `n ${address}`, address, port: fleet.port, templateId, multiplier: 1.5 }),
        address,
      });
    // Written twice a second, the first time soon.
    const report = async (): Promise<FleetReport> =>
      JSON.parse(await readFile(reportPath, "utf8").catch(() => '{"nodes":{}}'));
    await until(async () => {
      const { nodes: counted } = await report();
      return nodes.every(({ address }) => Object.keys(counted[address]?.users ?? {}).length === users.length);
    });
    for (const { id } of nodes) await panel.call("PUT", `/api/v1/nodes/${id}/template`, { templateId: null });
    // Once the agents have answered, nothing moves any more. The second report from then on was begun after that.
    for (const { id } of nodes) await made(`/nodes/${id}/sync`, {});
    for (let written = 0; written < 2; written++) {
      const { mtimeMs } = await stat(reportPath);
      await until(async () => (await stat(reportPath)).mtimeMs !== mtimeMs);
    }
    const { nodes: counted } = await report();
    for (const { id, address } of nodes)
      for (const [user, bytes] of Object.entries(counted[address]?.users ?? {}))
        told.set(Number(user), (told.get(Number(user)) ?? new Map()).set(id, bytes));
    // What is still in ledgers comes in.
    await until(async () => {
      const stored = await Promise.all(nodes.map(({ id }) => ok(`/nodes/${id}`)));
      return stored.every(({ id, up, down }) => JSON.stringify(ofNode(id)) === JSON.stringify({ up, down }));
    });
    await fleet.stop();
    fleet = undefined;
    expect((await report()).nodes).toMatchObject(
      Object.fromEntries(Object.entries(counted).map(([address, { users: all }]) => [address, { users: all }])),
    );
  });
  afterAll(async () => {
    await fleet?.stop();
    await panel.dispose();
  });

  // rules traffic.record.1, traffic.series.1
  test("each account's nodes, and each node's accounts, are what the fleet counted", async () => {
    expect(told.size).toBe(users.length);
    for (const id of users) {
      const rows = byNode(id).toSorted((a, b) => heavier(a, b) || a.id - b.id);
      const { rows: usage } = await ok(`/users/${id}/node-usage?hours=2`);
      expect(usage).toEqual(
        rows.map(({ id: nodeId, up, down }) => ({
          nodeId,
          name: `n ${nodes.find((node) => node.id === nodeId)?.address ?? ""}`,
          up,
          down,
        })),
      );
      const { series, zone, step } = await ok(`/users/${id}/traffic?hours=2`);
      expect({ step, zone: typeof zone }).toEqual({ step: "hour", zone: "string" });
      expect(series.map(({ id: nodeId, up, down }: Bytes & { id: number }) => ({ id: nodeId, up, down }))).toEqual(
        rows,
      );
      for (const each of series) expect(sum(each.points)).toEqual({ up: each.up, down: each.down });
    }
    for (const { id } of nodes) {
      const { rows } = await ok(`/nodes/${id}/stats?hours=2`);
      expect(sum(rows)).toEqual(ofNode(id));
      for (const { userId, up, down } of rows) expect({ up, down }).toEqual(told.get(userId)?.get(id));
      expect((await ok(`/nodes/${id}/stats?hours=2&limit=2`)).rows).toEqual(rows.slice(0, 2));
      // Names are the accounts' own: who may not read them gets none.
      const nameless = await ok(`/nodes/${id}/stats?hours=2`, tokens["nodes"]);
      expect(nameless.rows).toEqual(rows.map((row: object) => ({ ...row, name: "" })));
    }
  });

  // rules traffic.series.1, traffic.series.2
  test("the fleet's traffic by everything that moves it adds up to the same", async () => {
    const all = sum(users.map(ofUser));
    const total = async (query: string, by?: string) => {
      const { series, rest } = await ok(`/stats/traffic?hours=2&${query}`, by);
      return sum([...series, rest]);
    };
    for (const by of ["total", "node", "user", "admin", "inbound"]) {
      expect(await total(`by=${by}`), by).toEqual(all);
      expect(await total(`by=${by}&top=1&step=day`), by).toEqual(all);
    }
    expect(await total(`by=user&adminId=${shop}`)).toEqual(sum(owned().map(ofUser)));
    expect(await total(`by=user&nodeId=${nodes[0]?.id}`)).toEqual(ofNode(nodes[0]?.id ?? 0));
    expect(await total(`by=total&userId=${users[2]}`)).toEqual(ofUser(users[2] ?? 0));
    const { series } = await ok("/stats/traffic?by=admin&hours=2");
    expect(series.find(({ id }: { id: number }) => id === shop)).toMatchObject({
      name: "shop",
      ...sum(owned().map(ofUser)),
    });
  });

  // rule traffic.series.3
  test("what is not kept, and a range that is none, are refused with the parameter", async () => {
    for (const [path, field] of [
      [`/stats/traffic?by=inbound&userId=${users[0]}`, "userId"],
      [`/stats/traffic?by=inbound&adminId=${shop}`, "adminId"],
      [`/stats/traffic?by=admin&userId=${users[0]}&nodeId=${nodes[0]?.id}`, "nodeId"],
      ["/users/sparklines", "ids"],
      ["/users/sparklines?ids=1,x", "ids"],
      ["/users/sparklines?ids=-1", "ids"],
      ["/users/sparklines?ids=99999999999999999", "ids"],
      [`/nodes/sparklines?ids=${Array.from({ length: 201 }, (_, id) => id).join(",")}`, "ids"],
      ["/nodes/sparklines?ids=1&hours=0", "hours"],
      ["/stats/traffic?by=house", "by"],
      ["/stats/traffic?top=0", "top"],
      ["/stats/traffic?top=101", "top"],
      ["/stats/traffic?step=week", "step"],
      ["/stats/traffic?start=5", "end"],
      [`/stats/traffic?start=0&end=${401 * 86_400}`, "end"],
      [`/users/${users[0]}/traffic?hours=9601`, "hours"],
      [`/users/${users[0]}/node-usage?end=5`, "start"],
      [`/nodes/${nodes[0]?.id}/stats?limit=0`, "limit"],
      ["/reports/users?format=xml", "format"],
    ] as const)
      expect(await ask(path), path).toMatchObject({ status: 400, body: { field } });
    for (const path of ["/users/999999/traffic", "/users/999999/node-usage", "/nodes/999999/stats"])
      expect((await ask(path)).status, path).toBe(404);
  });

  // rule traffic.series.4
  test("an id that names nothing is 404; the panel's own accounts are the admin 0's", async () => {
    for (const by of ["total", "node", "user", "admin"])
      for (const name of ["nodeId", "userId", "adminId"])
        expect((await ask(`/stats/traffic?by=${by}&${name}=999999`)).status, `${by} ${name}`).toBe(404);
    expect((await ask("/stats/traffic?by=node&nodeId=999999", tokens["shop"])).status).toBe(404);
    const own = await ok("/stats/traffic?hours=2&adminId=0");
    expect(sum(own.series)).toEqual(sum(users.filter((id) => !owned().includes(id)).map(ofUser)));
  });

  // rule traffic.sparklines.1
  test("the lines of a list are of the same steps, of what the caller sees", async () => {
    const lines = await ok(`/users/sparklines?ids=${[...users, 999_999, users[0]].join(",")}&hours=3`);
    expect(lines).toMatchObject({ step: "hour" });
    expect(lines.rows.map(({ id }: { id: number }) => id)).toEqual(users);
    const { series } = await ok(`/stats/traffic?by=total&hours=3`);
    const known = new Set(series[0].points.map(({ at }: { at: number }) => at));
    expect(lines.at[0]).toBe(lines.start);
    expect(lines.at.length).toBeGreaterThan(known.size);
    const whole = (row: { up: (number | null)[]; down: (number | null)[] }) =>
      sum(row.up.map((up, step) => ({ up: up ?? 0, down: row.down[step] ?? 0 })));
    for (const row of lines.rows) {
      expect(whole(row)).toEqual(ofUser(row.id));
      // Nothing is known of the hours before the panel ran.
      for (const [step, at] of lines.at.entries()) expect(row.up[step] !== null).toBe(known.has(at));
    }
    const own = await ok(`/users/sparklines?ids=${users.join(",")}`, tokens["shop"]);
    expect(own.rows.map(({ id }: { id: number }) => id)).toEqual(owned());
    const lists = await ok(`/nodes/sparklines?ids=${nodes.map(({ id }) => id).join(",")},999999&hours=2`);
    expect(lists.rows).toHaveLength(nodes.length);
    for (const row of lists.rows) expect(whole(row)).toEqual(ofNode(row.id));
    expect(await ok(`/nodes/sparklines?ids=${nodes[0]?.id}&hours=96`)).toMatchObject({ step: "day" });
    for (const [path, by, status] of [
      ["/users/sparklines?ids=1", "nodes", 403],
      ["/nodes/sparklines?ids=1", "users", 403],
      ["/nodes/sparklines?ids=1", "shop", 403],
      ["/nodes/sparklines?ids=1", "nodes", 200],
    ] as const)
      expect((await ask(path, tokens[by])).status, `${path} ${by}`).toBe(status);
  });

  // rules traffic.seen.1, traffic.seen.2
  test("a reseller sees its own accounts alone; without stats:read owners and inbounds are not told", async () => {
    const own = sum(owned().map(ofUser));
    for (const by of ["total", "node", "user"]) {
      const { series, rest } = await ok(`/stats/traffic?by=${by}&hours=2`, tokens["shop"]);
      expect(sum([...series, rest]), by).toEqual(own);
      const others = await ok(`/stats/traffic?by=${by}&hours=2`, tokens["users"]);
      expect(sum([...others.series, others.rest]), by).toEqual(sum(users.map(ofUser)));
    }
    for (const [path, by, status] of [
      ["/stats/traffic?by=admin", "shop", 403],
      ["/stats/traffic?by=inbound", "shop", 403],
      ["/stats/traffic?by=admin", "users", 403],
      ["/stats/traffic?by=inbound", "users", 403],
      ["/stats/traffic?adminId=1", "shop", 403],
      [`/stats/traffic?adminId=${shop}`, "shop", 200],
      [`/stats/traffic?userId=${users[1]}`, "shop", 404],
      [`/stats/traffic?userId=${users[0]}`, "shop", 200],
      [`/users/${users[1]}/traffic`, "shop", 404],
      [`/users/${users[1]}/node-usage`, "shop", 404],
      [`/users/${users[0]}/node-usage`, "shop", 200],
      [`/nodes/${nodes[0]?.id}/stats`, "shop", 403],
      ["/reports/admins", "shop", 403],
      ["/reports/admins", "users", 403],
      ["/reports/admins", "statistics", 200],
      ["/stats/traffic", "nodes", 403],
      ["/reports/users", "nodes", 403],
    ] as const)
      expect((await ask(path, tokens[by])).status, `${path} ${by}`).toBe(status);
  });

  // rules traffic.report.1, traffic.report.2, traffic.report.3
  test("reports have a row for every record, in three formats", async () => {
    const all = sum(users.map(ofUser));
    const report = await ok("/reports/users?hours=2");
    expect(report).toMatchObject(all);
    expect(report.rows.map(({ id, up, down }: Bytes & { id: number }) => ({ id, up, down }))).toEqual(
      users.toSorted((a, b) => a - b).map((id) => ({ id, ...ofUser(id) })),
    );
    expect(report.rows[0]).toMatchObject({ adminId: shop, status: "active", volume: 0 });
    const share = report.rows.reduce((whole: number, row: { share: number }) => whole + row.share, 0);
    expect(share).toBeCloseTo(1, 4);
    const lines = (await ask("/reports/users?hours=2&format=ndjson")).text.trim().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toEqual(report.rows);
    const csv = await ask("/reports/users?hours=2&format=csv");
    expect(csv.headers.get("content-disposition")).toContain("users.csv");
    const [head, ...rows] = csv.text.trim().split("\r\n");
    expect(head).toBe("id,name,adminId,group,up,down,share,volume,used,expiry,status");
    expect(rows).toHaveLength(users.length);
    expect(rows[1]).toContain("'=cmd|x");
    const own = await ok("/reports/users?hours=2", tokens["shop"]);
    expect(own.rows.map(({ id }: { id: number }) => id)).toEqual(owned().toSorted((a, b) => a - b));
    expect(own).toMatchObject(sum(owned().map(ofUser)));
    const byNodes = await ok("/reports/nodes?hours=2");
    for (const { id, up, down } of byNodes.rows) expect({ up, down }).toEqual(ofNode(id));
    expect((await ok("/reports/nodes?hours=2", tokens["shop"])).rows[0]).toMatchObject({
      status: null,
      limitBytes: null,
    });
    const idle = await made("/nodes", { name: "idle", address: "127.0.0.23", port: 9, enabled: false });
    const named = async (credential?: string) =>
      (await ok("/reports/nodes?hours=2", credential)).rows.map(({ id }: { id: number }) => id);
    expect(await named()).toEqual([...nodes.map(({ id }) => id), idle]);
    expect(await named(tokens["shop"])).toEqual(nodes.map(({ id }) => id));
    const empty = await ok(`/reports/nodes?start=1&end=3600`, tokens["shop"]);
    expect(empty.rows).toEqual([]);
    await panel.call("DELETE", `/api/v1/nodes/${idle}`);
    const admins = await ok("/reports/admins?hours=2");
    expect(admins.rows.find(({ id }: { id: number }) => id === shop)).toMatchObject({
      name: "shop",
      users: owned().length,
      ...sum(owned().map(ofUser)),
    });
    expect(sum(admins.rows)).toEqual(all);
  });

  // rules traffic.record.2, traffic.report.1
  test("what is deleted keeps its bytes, without a name", async () => {
    const [gone = 0] = users.slice(-1);
    const node = nodes[1]?.id ?? 0;
    await panel.call("DELETE", `/api/v1/users/${gone}`);
    await panel.call("DELETE", `/api/v1/nodes/${node}`);
    const { rows } = await ok(`/nodes/${nodes[0]?.id}/stats?hours=2`);
    expect(rows.find(({ userId }: { userId: number }) => userId === gone)).toEqual({
      userId: gone,
      name: "",
      ...told.get(gone)?.get(nodes[0]?.id ?? 0),
    });
    const usage = await ok(`/users/${users[0]}/node-usage?hours=2`);
    expect(usage.rows.find(({ nodeId }: { nodeId: number }) => nodeId === node)).toEqual({
      nodeId: node,
      name: "",
      ...told.get(users[0] ?? 0)?.get(node),
    });
    expect(await ok(`/stats/traffic?hours=2&userId=${gone}`)).toMatchObject({ series: [ofUser(gone)] });
    expect(await ok(`/stats/traffic?hours=2&nodeId=${node}`)).toMatchObject({ series: [ofNode(node)] });
    const report = await ok("/reports/users?hours=2");
    expect(report.rows.find(({ id }: { id: number }) => id === gone)).toMatchObject({
      name: "",
      status: null,
      ...ofUser(gone),
    });
  });
});
