// What a person does to a running panel: restarts it, stops it, starts it twice, sets it from the command line, pulls
// the plug.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { Events } from "./api.ts";
import { startPanel, type E2ePanel, type LocalNode } from "./panel.ts";
import { findV2ray } from "../agent/engines/rig.ts";

const MB = 1_000_000;
const v2ray = await findV2ray();
const Settings = z.object({ items: z.array(z.object({ key: z.string(), value: z.string() })) });

describe.skipIf(!v2ray)("a panel in daily use", () => {
  let panel: E2ePanel;
  let node: LocalNode;
  const eventsOf = async (name: string) =>
    Events.parse(await panel.api.ok("GET", "/events/log?limit=1000")).items.filter(({ event }) => event === name)
      .length;
  const setting = async (key: string) =>
    Settings.parse(await panel.api.ok("GET", "/settings?limit=1000")).items.find((row) => row.key === key)?.value;

  beforeAll(async () => {
    panel = await startPanel();
    node = await panel.makeLocalNode();
  });
  afterAll(() => panel?.dispose());

  // rule process.start.1
  it("is refused a second time on the same data directory, with a sentence", async () => {
    await panel.serves(node.id);
    const second = await panel.command("serve");
    expect(second.code).toBe(1);
    expect(second.output).toMatch(/another Signalbox process is using this data directory/);
    expect(second.output).not.toMatch(/\n\s+at /);
    expect((await panel.api.node(node.id)).status).toBe("connected");
  });

  // rule process.command.2
  it("takes settings from the command line while it runs", async () => {
    expect(await panel.command("settings", "set", "sub_title", "Beside")).toEqual({ code: 0, output: "" });
    expect(await setting("sub_title")).toBe("Beside");
    const wrong = await panel.command("settings", "set", "web_listen_port", "many");
    expect(wrong.code).toBe(1);
    expect(wrong.output).toContain("must be a whole number");
  });

  // rules nodes.status.5, agents.local.1
  it("is killed and started again: the agent and its downloads go on, and the node never counts as lost", async () => {
    const user = await panel.makeUser("ann");
    const download = panel.download(await panel.clientOf(user), 8 * MB, MB);
    await download.reached(MB);
    const agent = panel.agentPid(node.id);
    const lostBefore = await eventsOf("node.disconnected");
    await panel.kill();
    await panel.start();
    await panel.serves(node.id);
    await download.finished;
    expect(panel.agentPid(node.id)).toBe(agent);
    expect(await eventsOf("node.disconnected")).toBe(lostBefore);
    await expect.poll(() => panel.api.used(user.id)).toBeGreaterThanOrEqual(8 * MB);
  });

  // rule process.command.2
  it("ends its agent with a clean stop, and takes settings offline", async () => {
    expect(await panel.stop()).toEqual({ code: 0, signal: null });
    expect(panel.leftovers()).toEqual([]);
    expect(await panel.command("settings", "set", "sub_title", "Offline")).toEqual({ code: 0, output: "" });
    expect(await panel.command("settings", "get", "sub_title")).toEqual({ code: 0, output: "Offline\n" });
    await panel.start();
    expect(await setting("sub_title")).toBe("Offline");
    await panel.serves(node.id);
  });
});
