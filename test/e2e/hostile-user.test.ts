// A panel that is root, and its agents, beside a hostile user who came first.
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, readlinkSync, statSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { wordsFor } from "../../src/fleet/local/agent-user.ts";
import { portMapObjection } from "../../src/agent/engines/portmap/index.ts";
import { canCutSockets } from "../../src/agent/engines/process/view/sockets.ts";
import { singBoxFactory } from "../../src/agent/engines/sing-box/index.ts";
import { findV2ray } from "../agent/engines/rig.ts";
import { BIND_ALONE, engineProcesses, isRoot, keeperProcesses, NET_ADMIN_ALONE, rightsOf } from "./agent-process.ts";
import type { ProxyClient } from "./client.ts";
import { quietPorts } from "../quiet-ports.ts";
import { HOSTILE, HostileUser } from "./hostile-user.ts";
import { startPanel, type E2ePanel, type LocalNode } from "./panel.ts";

const MB = 1_000_000;
const able = isRoot && (await portMapObjection()) === undefined && (await canCutSockets());
/** One that shares its ports and whose targets the kernel guards, and one behind the port map. */
const installed = { v2ray: await findV2ray(), "sing-box": (await singBoxFactory.probe()) !== undefined };
const engines = (["v2ray", "sing-box"] as const).filter((kind) => able && installed[kind]);

describe.skipIf(engines.length === 0).each(engines)(
  "a panel that is root, with %s, beside a hostile user",
  (engine) => {
    let hostile: HostileUser;
    let panel: E2ePanel;
    let node: LocalNode;
    let home: string;
    let leaked: string;

    beforeAll(async () => {
      hostile = new HostileUser();
      leaked = join(hostile.folder, "leaked");
      writeFileSync(leaked, "");
      const folders = [hostile.shadows("bin"), hostile.shadows("node_modules", ".bin"), "", "."];
      hostile.prepared.push("descriptors 9, 40 and 251 left open by whoever starts the panel");
      panel = await startPanel({
        engine,
        starter: {
          words: ["bash", "--norc", "-c", `exec 9<>'${leaked}' 40<>'${leaked}' 251<>'${leaked}'; exec "$@"`, "bash"],
          // Shadows lie where the panel is started too.
          cwd: hostile.shadows("cwd"),
        },
        variables: { PATH: `${folders.join(":")}:${process.env["PATH"] ?? ""}` },
      });
      const agents = join(panel.directory, "agents");
      const homes = [1, 2, 3].map((id) => join(agents, String(id)));
      // Before any node is there: ids are guessed.
      for (const each of homes) {
        for (const kind of ["v2ray/x", "embedded/x", "v2ray"]) hostile.fakeEngine(each, kind);
        hostile.fakeAgent(each, "127.0.0.1:1");
      }
      hostile.holdNames(homes);
      node = await panel.makeLocalNode();
      home = join(agents, String(node.id));
      // And once its address is known.
      hostile.fakeAgent(home, `127.0.0.1:${node.port}`);
      await panel.serves(node.id);
      console.log(`prepared by the hostile user:\n${hostile.prepared.join("\n")}`);
    });
    afterAll(async () => {
      await panel?.dispose();
      await hostile?.dispose();
    });

    const serves = async (client: ProxyClient): Promise<boolean> =>
      panel.download(client, 1000).finished.then(
        () => true,
        () => false,
      );
    const running = () => engineProcesses(panel).filter((pid) => rightsOf(pid).uid !== HOSTILE);
    const children = () => [panel.agentPid(node.id), ...running(), ...keeperProcesses(panel)];

    // rule agents.local.2
    test("agent and engine have a user of their own and may bind low ports; the net keeper has the one right alone", async () => {
      await expect.poll(() => [running().length, keeperProcesses(panel).length]).toEqual([1, 1]);
      const { uid } = statSync(home);
      expect(uid).toBeGreaterThan(0);
      for (const pid of [panel.agentPid(node.id), ...running()])
        expect(rightsOf(pid)).toEqual({ uid, capabilities: BIND_ALONE, noNewPrivileges: true });
      for (const pid of keeperProcesses(panel)) {
        const rights = rightsOf(pid);
        expect(rights).toMatchObject({ capabilities: NET_ADMIN_ALONE, noNewPrivileges: true });
        expect([0, uid]).not.toContain(rights.uid);
      }
    });

    // rule agents.local.6
    test("no shadow of a program ran, and the log names the folders that are not used", () => {
      expect(hostile.ran).toBe("");
      expect(panel.output).toContain(join(hostile.folder, "bin"));
    });

    test("no child has a descriptor that the panel's starter left open", () => {
      for (const pid of children()) expect([pid, filesOf(pid)]).toEqual([pid, expect.not.arrayContaining([leaked])]);
    });

    test("with the words of the launcher the agent's user changes nothing of the kernel's network", () => {
      const rule = "add table ip taken; add chain ip taken out { type nat hook output priority -100; }";
      const [program, ...words] = wordsFor(statSync(home).uid);
      const run = (...command: string[]) => spawnSync(program, [...words, ...command], { encoding: "utf8", cwd: "/" });
      expect(run("nft", `${rule}; add rule ip taken out tcp dport 8080 redirect to :9999`).status).not.toBe(0);
      expect(run("ip", "link", "set", "lo", "down").status).not.toBe(0);
      expect(spawnSync("nft", ["list", "table", "ip", "taken"]).status).not.toBe(0);
    });

    // rule agents.local.3
    test("the keeper refuses ports and sockets that are not this agent's", async () => {
      const { uid } = statSync(home);
      const panelPort = Number(new URL(panel.url).port);
      const [inner = 0] = innerPorts(uid);
      const held = await heldConnection(panelPort);
      const answers = askAs(uid, home, [
        { verb: "map", engine, mappings: [{ listen: "", port: panelPort, networks: ["tcp"], inner }] },
        { verb: "map", engine, mappings: [{ listen: "", port: 8080, networks: ["tcp"], inner }] },
        {
          verb: "map",
          engine,
          mappings: [{ listen: "", port: node.inboundPort, networks: ["tcp"], inner: panelPort }],
        },
        { verb: "keepClosed", engine, ports: [panelPort] },
        { verb: "keepClosed", engine, ports: [22] },
        { verb: "cut", sockets: [{ localPort: panelPort, peer: `127.0.0.1:${held.localPort}` }] },
        { verb: "cut", sockets: [{ localPort: panelPort, peer: "127.0.0.1:1 or sport = :80" }] },
        { verb: "map", engine: "../../x", mappings: [] },
        { verb: "nft", script: "flush ruleset" },
      ]);
      const refused = { error: expect.stringMatching(/refuses|knows no such/) };
      expect(answers).toMatchObject([
        refused,
        refused,
        refused,
        refused,
        refused,
        { value: null },
        refused,
        refused,
        refused,
      ]);
      // Not cut, for it is the panel's.
      expect(await answersOn(held)).toContain("HTTP/1.1");
      held.destroy();
      expect((await fetch(`${panel.url}/healthz`)).ok).toBe(true);
    });

    test("nobody else reaches the keeper", () => {
      const script = `require("node:net").connect(${JSON.stringify(join(home, "net.sock"))}).on("error", (e) => console.log(e.code)).on("connect", () => console.log("in"))`;
      expect(hostile.run(process.execPath, ["-e", script]).trim()).toBe("EACCES");
    });

    test("traffic flows through the port map, is counted, and a removed user is cut", async () => {
      const ruleset = spawnSync("nft", ["list", "ruleset"], { encoding: "utf8" }).stdout;
      if (engine === "sing-box") expect(ruleset).toMatch(new RegExp(`tcp \\. ${node.inboundPort} : \\d+`));
      else expect(ruleset).toMatch(/chain guarded \{\s*fib daddr type local tcp dport @interfaces reject/);
      const user = await panel.makeUser("ann");
      const other = await panel.makeUser("ben");
      const client = await panel.clientOf(user);
      const others = await panel.clientOf(other);
      for (const each of [client, others]) await expect.poll(async () => serves(each)).toBe(true);
      const cut = panel.download(client, 2000 * MB, MB);
      const stays = panel.download(others, 2000 * MB, MB);
      expect(await cut.reached(2 * MB)).toBe(true);
      expect(await stays.reached(2 * MB)).toBe(true);
      await panel.api.ok("DELETE", `/users/${user.id}`);
      // The client of the cut connection may keep its own side open: what counts is that nothing comes any more.
      let before = 0;
      const grew = (): boolean => {
        const last = before;
        before = cut.received;
        return before > last;
      };
      await expect.poll(grew, { interval: 1500, timeout: 20_000 }).toBe(false);
      expect(await stays.reached(stays.received + MB)).toBe(true);
      stays.stop();
      await expect.poll(() => panel.api.used(other.id)).toBeGreaterThanOrEqual(2 * MB);
    });

    test("a keeper that is killed is followed by another, which the agent finds", async () => {
      const [before = 0] = keeperProcesses(panel);
      process.kill(before, "SIGKILL");
      await expect.poll(() => keeperProcesses(panel).filter((pid) => pid !== before).length).toBe(1);
      // Where the engine is another process for each change of users, this needs the map.
      const client = await panel.clientOf(await panel.makeUser("cat"));
      await expect.poll(async () => serves(client)).toBe(true);
    });

    test("a panel that was killed finds its agent, and starts a keeper that knows the ports", async () => {
      const agent = panel.agentPid(node.id);
      const [before = 0] = keeperProcesses(panel);
      await panel.kill();
      expect(rightsOf(before).capabilities).toEqual(NET_ADMIN_ALONE);
      await panel.start();
      await panel.serves(node.id);
      expect(panel.agentPid(node.id)).toBe(agent);
      await expect.poll(() => keeperProcesses(panel)).toEqual([expect.not.toSatisfy((pid) => pid === before)]);
    });

    // rule agents.local.4
    test("who was first on an agent's port is not taken for it", async () => {
      const [port = 0] = await quietPorts(1);
      const end = await hostile.squat(port);
      const templateId = await panel.api.make("templates", { name: "nothing", inboundIds: [] });
      const id = await panel.api.make("nodes", {
        name: "squatted",
        address: "127.0.0.1",
        port,
        isLocal: true,
        templateId,
      });
      await expect.poll(() => hostile.met).toBeGreaterThan(0);
      end();
      await panel.serves(id);
      expect(hostile.heard).toBe("");
      await panel.api.ok("DELETE", `/nodes/${id}`);
    });

    // rule agents.local.4
    test("nothing of the hostile user's was believed or ended", async () => {
      expect(hostile.ended).toBe(0);
      expect(hostile.ran).toBe("");
      await panel.api.ok("DELETE", `/nodes/${node.id}`);
      await expect.poll(() => left(panel), { interval: 100 }).toEqual([]);
      expect(hostile.ended).toBe(0);
    });
  },
);

/** Agents, engines and keepers of the panel's; the hostile user's own fakes are none. */
function left(panel: E2ePanel): number[] {
  return panel.leftovers().flatMap(({ pid }) => (rightsOf(pid).uid === HOSTILE ? [] : [pid]));
}

function filesOf(pid: number): string[] {
  return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${fd}`)];
    } catch {
      return []; // Closed meanwhile.
    }
  });
}

/** Ports on which processes of a user listen. */
function innerPorts(uid: number): number[] {
  return readFileSync("/proc/net/tcp", "latin1")
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , state, , , , user]) => state === "0A" && user === String(uid))
    .map(([, local = ""]) => Number.parseInt(local.split(":")[1] ?? "", 16));
}

/** What the keeper answers to a process of the agent's user. */
function askAs(uid: number, home: string, requests: readonly object[]): unknown[] {
  const script = `const socket = require("node:net").connect("net.sock");
    const requests = ${JSON.stringify(requests)};
    socket.write(requests.map((request, id) => JSON.stringify({ id, ...request }) + "\\n").join(""));
    let text = "";
    socket.on("data", (data) => {
      text += data;
      const lines = text.split("\\n").filter(Boolean);
      if (lines.length < requests.length) return;
      console.log(JSON.stringify(lines.map(JSON.parse).sort((a, b) => a.id - b.id)));
      socket.destroy();
    });`;
  const [program, ...words] = wordsFor(uid);
  const { stdout } = spawnSync(program, [...words, process.execPath, "-e", script], {
    cwd: home,
    encoding: "utf8",
    timeout: 60_000,
  });
  return JSON.parse(stdout) as unknown[];
}

async function heldConnection(port: number): Promise<Socket & { localPort: number }> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined);
  await once(socket, "connect");
  return socket as Socket & { localPort: number };
}

async function answersOn(socket: Socket): Promise<string> {
  socket.write("GET /healthz HTTP/1.1\r\nHost: here\r\n\r\n");
  const [data] = (await once(socket, "data")) as [Buffer];
  return data.toString("latin1");
}
