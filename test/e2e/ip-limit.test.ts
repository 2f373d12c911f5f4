// The setting `ip_limit_newest` on its whole way: from its PUT over the link to the agent and its engine, where
// two clients of one account come from two addresses.
import type { Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { installedEngines } from "../agent/engines/installed.ts";
import { planUser, tcpConnect, tcpTarget, until, vlessHead } from "../agent/embedded/harness.ts";
import { startPanel, type E2ePanel, type LocalNode } from "./panel.ts";

const ADDRESSES = ["127.0.0.2", "127.0.0.3"] as const;
const installed = await installedEngines();
const engines = ["embedded", ...installed.flatMap(({ kind }) => (kind === "sing-box" ? [kind] : []))] as const;

interface Client {
  readonly socket: Socket;
  readonly from: (typeof ADDRESSES)[number];
  bytes(): number;
}

describe.each(engines)("ip_limit_newest on a local node with %s", (engine) => {
  let panel: E2ePanel;
  let node: LocalNode;
  let target: { port: number; close: () => void };
  let uuid: string;
  /** The client that is served, out of the account's two addresses. */
  let served: Client;

  beforeAll(async () => {
    target = await tcpTarget((socket) => {
      const drip = setInterval(() => socket.write(Buffer.alloc(1000)), 20);
      socket.resume().on("close", () => clearInterval(drip));
    });
    panel = await startPanel({ engine: engine as "embedded" | "sing-box" });
    node = await panel.makeLocalNode();
    ({
      config: { uuid },
    } = await panel.makeUser("anna", { ipLimit: 1 }));
    await panel.serves(node.id);
    served = await connectFrom(ADDRESSES[0]);
    await until(() => served.bytes() > 1000);
  });
  afterAll(async () => {
    served?.socket.destroy();
    target?.close();
    await panel?.dispose();
  });

  async function connectFrom(from: Client["from"]): Promise<Client> {
    const socket = await tcpConnect(node.inboundPort, false, from);
    let bytes = 0;
    socket.on("data", (data: Buffer) => (bytes += data.length));
    socket.write(vlessHead(planUser(1, { uuid }), target.port));
    return { socket, from, bytes: () => bytes };
  }

  /** A client comes from the other address: which of the two goes on, once one of them was put out? */
  async function whoStays(): Promise<"oldest" | "newest"> {
    const oldest = served;
    const newest = await connectFrom(oldest.from === ADDRESSES[0] ? ADDRESSES[1] : ADDRESSES[0]);
    await until(() => oldest.socket.closed || newest.socket.closed);
    served = oldest.socket.closed ? newest : oldest;
    const before = served.bytes();
    await until(() => served.bytes() > before + 5000);
    expect([oldest.socket.closed, newest.socket.closed].filter(Boolean)).toHaveLength(1);
    return served === oldest ? "oldest" : "newest";
  }

  const say = (value: "true" | "false") => panel.api.ok("PUT", "/settings/ip_limit_newest", { value });

  test("the second address is refused while nothing is set", async () => {
    expect(await whoStays()).toBe("oldest");
  });

  // rule agents.engine.11
  test("it changes who is served on a node that runs, both ways", async () => {
    await say("true");
    await expect.poll(whoStays).toBe("newest");
    expect(await whoStays()).toBe("newest");
    await say("false");
    await expect.poll(whoStays).toBe("oldest");
    expect(await whoStays()).toBe("oldest");
  });

  // rule agents.engine.11
  test("an agent that was started again hears of it", async () => {
    await say("true");
    served.socket.destroy();
    const before = panel.agentPid(node.id);
    process.kill(before, "SIGKILL");
    await expect.poll(() => panel.agentPid(node.id)).not.toBe(before);
    await panel.serves(node.id);
    served = await connectFrom(ADDRESSES[0]);
    await until(() => served.bytes() > 1000);
    expect(await whoStays()).toBe("newest");
  });
});
