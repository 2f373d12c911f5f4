// Links over real TLS to a simulated fleet: connecting, syncing, losing, coming back; on both databases.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../../src/db/index.ts";
import { GRACE_MS } from "../../src/fleet/link/link.ts";
import { requireRunning } from "../../src/fleet/nodes/node.commands.ts";
import { EMPTY_BUCKET } from "../../src/protocol/digest.ts";
import { dialects } from "../database.ts";
import { PanelSide, until } from "./panel-side.ts";

describe.each(dialects)("links on %s", (dialect) => {
  let panel: PanelSide;
  beforeAll(async () => {
    panel = await PanelSide.open(dialect);
  });
  afterAll(() => panel.dispose());
  const wanted = (template: number) => panel.fleet.users.buckets(template);
  const eventsOf = (subject: string) =>
    panel.events.filter((event) => event.subject === subject).map(({ event }) => event);
  const agrees = (id: number, template: number) =>
    until(async () => JSON.stringify(await panel.agentUsers(id)) === JSON.stringify(wanted(template)));

  // rules nodes.status.1, nodes.pin.1
  test("a new node is pinned, synced and connected, with one event", async () => {
    await panel.addUser();
    const id = await panel.addNode("127.0.1.1");
    const node = await panel.reaches(id, "linked.connected");
    expect(node).toMatchObject({ fingerprint: panel.agents.fingerprint, message: "", engine: "simulated" });
    expect(["docker", "podman", "containerd", "lxc", "linux"]).toContain(node.setup);
    await expect.poll(() => eventsOf(`node:${id}`)).toEqual(["node.connected"]);
    await agrees(id, 1);
    await until(() => panel.fleet.live.get(id));
  });

  // rule nodes.sync.2
  test("users that come, change, move and go reach exactly the nodes concerned", async () => {
    const [one, two] = [await panel.addNode("127.0.1.2"), await panel.addNode("127.0.1.3", { templateId: 2 })];
    await Promise.all([panel.reaches(one, "linked.connected"), panel.reaches(two, "linked.connected")]);
    const everywhere = await panel.addUser();
    const onlyTwo = await panel.addUser({ allTemplates: false, templateIds: [2] });
    await Promise.all([agrees(one, 1), agrees(two, 2)]);
    await panel.editUser(onlyTwo, { templateIds: [1] });
    await panel.editUser(everywhere, { speedLimit: 5 });
    await Promise.all([agrees(one, 1), agrees(two, 2)]);
    expect(wanted(1)).not.toEqual(wanted(2));
    expect((await panel.fleet.servedBy(two))(onlyTwo)).toBe(false);
    await panel.editNode(two, { templateId: 1 });
    await agrees(two, 1);
    expect((await panel.fleet.servedBy(two))(onlyTwo)).toBe(true);
    expect((await panel.fleet.servedBy(999_999))(everywhere)).toBe(false);
  });

  // rule nodes.sync.2
  test("a thousand edits in a burst converge", async () => {
    const id = await panel.addNode("127.0.1.4");
    await panel.reaches(id, "linked.connected");
    const users = await Promise.all(Array.from({ length: 200 }, () => panel.addUser()));
    await Promise.all(
      Array.from({ length: 1000 }, (_, index) => panel.editUser(users[index % 200] ?? 0, { speedLimit: index })),
    );
    await agrees(id, 1);
  });

  test("usage is counted, and an account that reaches its volume leaves the nodes", async () => {
    const user = await panel.addUser({ volume: 2000 });
    const disabled = await until(async () => {
      const row = await panel.user(user);
      return row.disabledReason === "volume" && row;
    });
    expect(disabled.up + disabled.down).toBeGreaterThanOrEqual(2000);
    expect(disabled).toMatchObject({ enable: false, mstate: "disabled.volume" });
    // A row is read as soon as it is committed; who is told of the commit hears of it a moment later.
    await expect.poll(() => eventsOf(`user:${user}`)).toEqual(["user.disabled", "user.quota_reached"]);
    const nodes = [...panel.fleet.links()];
    await Promise.all(nodes.map((link) => agrees(link.nodeId, link.templateId)));
  });

  // rule nodes.switch.1
  test("switching off ends the link, switching on brings the node back", async () => {
    const id = await panel.addNode("127.0.1.5");
    await panel.reaches(id, "linked.connected");
    await panel.editNode(id, { enabled: false }, { type: "switchOff" });
    expect((await panel.node(id)).mstate).toBe("disabled.manual");
    await until(() => panel.fleet.link(id) === undefined);
    expect(panel.fleet.live.get(id)).toBeUndefined();
    // The agent was told to stop serving: it holds nothing any more.
    await until(async () => (await panel.askAgent("127.0.1.5")).every((bucket) => bucket === EMPTY_BUCKET));
    await panel.editNode(id, { enabled: true }, { type: "switchOn" });
    await panel.reaches(id, "linked.connected");
  });

  // rule nodes.switch.2
  test("a node's usage limit switches it off by itself", async () => {
    const id = await panel.addNode("127.0.1.6", { limitBytes: 3000 });
    const node = await panel.reaches(id, "disabled.limit");
    expect(node).toMatchObject({ limitDisabled: true });
    // What `sync` and `reconnect` say of it.
    expect(() => requireRunning(node)).toThrow(
      "the node is off: its usage limit of 3000 bytes is reached (limitBytes)",
    );
    await until(() =>
      panel.events.some((event) => event.event === "node.limit_reached" && event.subject === `node:${id}`),
    );
    await panel.editNode(id, { limitBytes: 0 });
    await panel.reaches(id, "linked.connected");
  });

  // rule nodes.status.3
  test("agents that go are lost with one event each, and come back by themselves", async () => {
    const id = await panel.addNode("127.0.1.7");
    await panel.reaches(id, "linked.connected");
    const port = panel.agents.port;
    await panel.agents.stop();
    const lost = await panel.reaches(id, "error.waiting");
    expect(lost.message).not.toBe("");
    await panel.startAgents(1, port);
    await panel.reaches(id, "linked.connected", 30_000);
    const names = () => panel.events.filter((event) => event.subject === `node:${id}`).map((event) => event.event);
    await expect.poll(names).toEqual(["node.connected", "node.disconnected", "node.connected"]);
    await agrees(id, 1);
  });

  // rule nodes.pin.2
  test("another key is refused with both fingerprints, until the pin is taken anew", async () => {
    const id = await panel.addNode("127.0.1.8");
    const { fingerprint } = await panel.reaches(id, "linked.connected");
    const port = panel.agents.port;
    await panel.agents.stop();
    await panel.startAgents(2, port);
    const node = await panel.reaches(id, "error.mismatched", 30_000);
    expect(node.message).toContain(fingerprint);
    expect(node.message).toContain(panel.agents.fingerprint);
    await panel.editNode(id, { fingerprint: panel.agents.fingerprint }, { type: "repinned" });
    await panel.reaches(id, "linked.connected", 30_000);
    await panel.agents.stop();
    await panel.startAgents(1, port);
  });

  // rule nodes.status.5
  test("a panel that starts again resumes its links without a word, and grants the absent their grace", async () => {
    const id = await panel.addNode("127.0.1.9");
    await panel.reaches(id, "linked.connected");
    const { rev } = await panel.node(id);
    await panel.stopPanel();
    await panel.startPanel();
    await until(() => panel.fleet.live.get(id), 30_000);
    const names = panel.events.filter((event) => event.subject === `node:${id}`).map((event) => event.event);
    expect(names).toEqual(["node.connected"]);
    expect((await panel.node(id)).mstate).toBe("linked.connected");
    expect((await panel.node(id)).rev - rev).toBeLessThanOrEqual(2);
    expect(GRACE_MS).toBe(60_000);
  });

  test("of all that these agents told nothing was refused, whoever came and went", async () => {
    await until(
      async () => (await panel.db.reads.query<{ n: number }>(sql`select count(*) as n from usage_cursors`))[0]?.n,
    );
    expect(await panel.db.reads.query(sql`select code, user_id from usage_refusals`)).toEqual([]);
  });
});
