// What a net keeper does for its agent's user, and what it refuses whatever is asked: with real sockets of three users.
import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, connect, type Server, type Socket } from "node:net";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NetKeeper } from "../../src/agent/net-admin/keeper.ts";
import { Verb } from "../../src/agent/net-admin/verbs.ts";
import { canCutSockets } from "../../src/agent/engines/process/view/sockets.ts";
import { tableOf } from "../../src/agent/net-admin/nft/table.ts";
import { quietPorts } from "../quiet-ports.ts";
import { isRoot } from "../e2e/agent-process.ts";
import { havePortMap } from "./portmap/rig.ts";

const AGENT = 60_601;
const NEIGHBOUR = 60_602;
const HOME = `/run/signalbox-test-keeper-${process.pid}`;
const engine = "sing-box" as const;
const able = isRoot && (await havePortMap()) && (await canCutSockets());

/** A program of a user that listens on a port over TCP and UDP, and answers with its user's number. */
async function listener(uid: number, port: number): Promise<ChildProcess> {
  const script = `require("node:net").createServer((s) => s.on("error", () => {}).write("${uid}")).listen(${port}, "127.0.0.1", () => {
    require("node:dgram").createSocket("udp4").bind(${port}, "127.0.0.1", () => console.log("listens"));
  });`;
  const words = [`--reuid=${uid}`, `--regid=${uid}`, "--clear-groups", "--", process.execPath, "-e", script];
  const child = spawn("setpriv", words, { stdio: ["ignore", "pipe", "inherit"] });
  if (!child.stdout) throw new Error("no output");
  await once(child.stdout, "data");
  return child;
}

/** What a port answers: the user's number, or `closed`. */
async function reach(port: number): Promise<{ socket: Socket; answer: string }> {
  const socket = connect(port, "127.0.0.1");
  const answer = await new Promise<string>((resolve) => {
    socket.on("error", () => undefined);
    socket.once("data", (data) => resolve(String(data)));
    socket.once("close", () => resolve("closed"));
  });
  return { socket, answer };
}

describe.skipIf(!able)("a net keeper", () => {
  let keeper: NetKeeper;
  let root: Server;
  const children: ChildProcess[] = [];
  let [publicPort = 0, heldPublic = 0, strange = 0, inner = 0, neighbours = 0, roots = 0, nobodys = 0]: number[] = [];
  let allowed: ReadonlySet<number> = new Set();

  beforeAll(async () => {
    [publicPort = 0, heldPublic = 0, strange = 0, inner = 0, neighbours = 0, roots = 0, nobodys = 0] =
      await quietPorts(7);
    children.push(
      await listener(AGENT, inner),
      await listener(NEIGHBOUR, neighbours),
      await listener(NEIGHBOUR, heldPublic),
    );
    root = createServer((socket) => socket.on("error", () => undefined).write("0")).listen(roots, "127.0.0.1");
    await once(root, "listening");
    allowed = new Set([publicPort, heldPublic]);
    keeper = new NetKeeper({
      uid: AGENT,
      engineGroup: AGENT,
      home: HOME,
      publicPorts: () => Promise.resolve(allowed),
      log: () => undefined,
    });
  });
  afterAll(async () => {
    await keeper?.answer({ verb: "unmap", engine });
    keeper?.stop();
    for (const child of children) child.kill("SIGKILL");
    root?.close();
  });

  const mapping = (port: number, to: number) => ({ listen: "", port, networks: ["tcp" as const], inner: to });
  const map = (port: number, to: number) => keeper.answer({ verb: "map", engine, mappings: [mapping(port, to)] });

  // rule agents.local.3
  test("maps a port that an inbound has to one on which the agent's user listens", async () => {
    await map(publicPort, inner);
    const { socket, answer } = await reach(publicPort);
    expect(answer).toBe(String(AGENT));
    socket.destroy();
    // Now reached through the map alone.
    expect((await reach(inner)).answer).toBe("closed");
  });

  // rule agents.local.3
  test.each([
    ["a port that no inbound has", () => map(strange, inner)],
    ["the panel's own, which is root's", () => map(roots, inner)],
    ["an inbound's port that another user's program has", () => map(heldPublic, inner)],
    ["an inner port of root's", () => map(publicPort, roots)],
    ["an inner port of another agent's", () => map(publicPort, neighbours)],
    ["an inner port that nobody has", () => map(publicPort, nobodys)],
    ["root's port, closed", () => keeper.answer({ verb: "keepClosed", engine, ports: [inner, roots] })],
    ["another agent's port, closed", () => keeper.answer({ verb: "keepClosed", engine, ports: [neighbours] })],
    ["a low port, closed before anybody has it", () => keeper.answer({ verb: "keepClosed", engine, ports: [22] })],
  ])("refuses %s", async (_, ask) => {
    await expect(ask()).rejects.toThrow(/no inbound's|another user|listens on|not this agent's/);
    for (const port of [roots, neighbours]) {
      const { socket, answer } = await reach(port);
      expect(["0", String(NEIGHBOUR)]).toContain(answer);
      socket.destroy();
    }
  });

  // rule agents.local.3
  test("cuts connections of the agent's user, and no others", async () => {
    const [own, theirs, mine] = [await reach(publicPort), await reach(neighbours), await reach(roots)];
    const cut = [own, theirs, mine].map(({ socket }, index) => ({
      localPort: [inner, neighbours, roots][index] ?? 0,
      peer: `127.0.0.1:${socket.localPort}`,
    }));
    const over = new Promise((resolve) => own.socket.once("close", resolve));
    await keeper.answer({ verb: "cut", sockets: cut });
    await over;
    for (const { socket } of [theirs, mine]) {
      expect(socket.destroyed || socket.readableEnded).toBe(false);
      socket.destroy();
    }
  });

  test("drops datagrams and limits speeds of the agent's own ports alone", async () => {
    const flows = [inner, neighbours].map((localPort) => ({ address: "127.0.0.1", port: 5000, localPort }));
    await keeper.answer({ verb: "dropFlows", engine, flows, seconds: 60 });
    await keeper.answer({
      verb: "limitSpeeds",
      engine,
      limits: [[1, 1000]],
      sessions: flows.map((flow) => ({ ...flow, userId: 1 })),
    });
    const ruleset = execFileSync("nft", ["list", "ruleset"], { encoding: "utf8" });
    expect(ruleset).toContain(`127.0.0.1 . 5000 . ${inner}`);
    expect(ruleset).not.toContain(`127.0.0.1 . 5000 . ${neighbours}`);
    await keeper.answer({ verb: "freeSpeeds", engine });
  });

  test("what the engines' group begins reaches no private target and no interface, but the operator's upstreams", async () => {
    const guard = { privateTargets: "block" as const, interfaces: [inner], upstreams: [] };
    /** What a process of the agent's user in this group is answered on a port. */
    const from = async (gid: number, port: number): Promise<string> => {
      const script = `require("node:net").connect(${port}, "127.0.0.1")
        .on("data", (data) => { console.log(String(data)); process.exit(); })
        .on("error", (error) => { console.log(error.code); process.exit(); })`;
      const words = [`--reuid=${AGENT}`, `--regid=${gid}`, "--clear-groups", "--", process.execPath, "-e", script];
      return (await promisify(execFile)("setpriv", words)).stdout.trim();
    };
    await keeper.answer({ verb: "guardTargets", engine, guard });
    expect([await from(AGENT, roots), await from(NEIGHBOUR, roots)]).toEqual(["ECONNREFUSED", "0"]);
    const upstreams = [{ address: "127.0.0.1", port: roots }];
    await keeper.answer({ verb: "guardTargets", engine, guard: { ...guard, upstreams } });
    expect(await from(AGENT, roots)).toBe("0");
    await keeper.answer({ verb: "guardTargets", engine, guard: { ...guard, privateTargets: "allow" } });
    expect(await from(AGENT, neighbours)).toBe(String(NEIGHBOUR));
    const interfaces = [neighbours];
    await keeper.answer({ verb: "guardTargets", engine, guard: { ...guard, privateTargets: "allow", interfaces } });
    expect(await from(AGENT, neighbours)).toBe("ECONNREFUSED");
  });

  test("its tables are the agent's; nothing else of the kernel's is touched", () => {
    const tables = execFileSync("nft", ["list", "tables"], { encoding: "utf8" });
    expect(tables).toContain(tableOf(`${HOME}/engine/${engine}`));
  });
});

describe("what is no verb is refused before anything looks at it", () => {
  test.each([
    { verb: "nft", script: "flush ruleset" },
    { verb: "map", engine: "../x", mappings: [] },
    { verb: "map", engine, mappings: [{ listen: "", port: 0, networks: ["tcp"], inner: 1 }] },
    { verb: "map", engine, mappings: [{ listen: "", port: 1, networks: ["icmp"], inner: 1 }] },
    { verb: "cut", sockets: [{ localPort: 1, peer: "1.1.1.1:1 or sport = :22" }] },
    { verb: "cut", sockets: [{ localPort: 1, peer: "*" }] },
    { verb: "keepClosed", engine, ports: ["22"] },
    { verb: "keepClosed", engine, ports: [1], more: true },
    { verb: "dropFlows", engine, flows: [], seconds: 1e9 },
  ])("%j", (request) => {
    expect(Verb.safeParse(request).success).toBe(false);
  });
});
