// Why a node is not served: what charts and links really note is understood, in every language.
import { createServer, type Server } from "node:https";
import { createServer as createTcpServer, type AddressInfo, type Server as TcpServer } from "node:net";
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { nodeMachine, type NodeContext, type NodeEvent } from "../../../machines/node.ts";
import { dialAgent } from "../../../src/fleet/dial.ts";
import type { LinkIdentity } from "../../../src/fleet/identity.ts";
import { Chart } from "../../../src/runtime/chart.ts";
import { en } from "../../../src/web/words/en.ts";
import { toldIn } from "../../../src/web/words/told.ts";
import { makePanelIdentity } from "../../agent/panel.ts";
import { quietPorts } from "../../quiet-ports.ts";
import { DICTIONARIES } from "./dictionaries.ts";
import { idle } from "../../machines/idle-node.ts";

const LOOPBACK = "127.0.0.1";
const english = toldIn(en);

/** Told in other words than it was said. */
function told(said: string): string {
  const text = english.message(said);
  expect(text).not.toBe(said);
  return text;
}

describe("a dial that fails", () => {
  let identity: LinkIdentity;
  let closing: TcpServer;
  let other: Server;
  beforeAll(async () => {
    const { client } = await makePanelIdentity("a panel");
    identity = { certificate: client.cert, privateKey: client.key, fingerprint: "" };
    closing = createTcpServer((socket) => socket.destroy()).listen(0, LOOPBACK);
    other = createServer({ cert: client.cert, key: client.key }, (_request, response) => response.writeHead(404).end());
    other.on("upgrade", (_request, socket) => socket.end("HTTP/1.1 404 Not Found\r\n\r\n"));
    other.listen(0, LOOPBACK);
    await Promise.all([once(closing, "listening"), once(other, "listening")]);
  });
  afterAll(() => {
    closing.close();
    other.close();
  });

  const portOf = (server: TcpServer) => (server.address() as AddressInfo).port;
  async function noted(address: string, port: number): Promise<string> {
    const error: unknown = await dialAgent(identity, { address, port }, "", AbortSignal.timeout(60_000)).catch((cause: unknown) => cause);
    if (!(error instanceof Error)) throw new Error("it was answered");
    return error.message;
  }

  test("because nobody listens", async () => {
    const [port = 0] = await quietPorts(1);
    expect(told(await noted(LOOPBACK, port))).toBe(en.messages.refused(`${LOOPBACK}:${port}`));
  });

  test("because the connection is closed at once", async () => {
    expect(told(await noted(LOOPBACK, portOf(closing)))).toBe(en.messages.cut(`${LOOPBACK}:${portOf(closing)}`));
  });

  test("because another program answers", async () => {
    expect(told(await noted(LOOPBACK, portOf(other)))).toBe(en.messages.otherProgram(`${LOOPBACK}:${portOf(other)}`, "404"));
  });

  test("because the name is nobody's", async () => {
    expect(told(await noted("nobody.invalid", 62050))).toBe(en.messages.unknownName("nobody.invalid"));
  });
});

describe("the node chart's own reasons", () => {
  const chart = new Chart<NodeContext>(nodeMachine);
  const messageOf = (start: Partial<NodeContext>, ...events: (NodeEvent | { type: `xstate.after.${string}` })[]): string => {
    let step = chart.initial({ ...idle, ...start });
    for (const event of events) step = chart.step(step, event);
    return step.context.message;
  };
  const opened = {
    type: "link.opened",
    fingerprint: "",
    users: 0,
    coreVersion: "",
    nodeVersion: "",
    arch: "",
    setup: "",
    engine: "",
  } as const;

  test.each([
    ["off", messageOf({ enabled: false }), en.messages.off],
    ["limit", messageOf({ limited: true }), en.messages.limit],
    ["licence", messageOf({ licensed: false }), en.messages.licence],
    ["no greeting", messageOf({}, { type: "xstate.after.dialDeadline.node.linked.connecting.dialing" }), en.messages.noGreeting("20")],
    [
      "a late configuration",
      messageOf({}, opened, { type: "xstate.after.syncDeadline.node.linked.connecting.syncing" }),
      en.messages.lateConfiguration,
    ],
  ])("%s", (_name, said, words) => {
    expect(told(said)).toBe(words);
  });
});

test.each([
  ["10.0.0.1:62050 cannot be reached: connect ETIMEDOUT 10.0.0.1:62050", en.messages.silent("10.0.0.1:62050")],
  ["10.0.0.1:62050 cannot be reached: Opening handshake has timed out", en.messages.silent("10.0.0.1:62050")],
  ["::1:62050 cannot be reached: connect EHOSTUNREACH ::1:62050", en.messages.noRoute("::1:62050")],
  ["10.0.0.1:62050 cannot be reached: unable to verify", en.messages.unreachable("10.0.0.1:62050", "unable to verify")],
  ["3 heartbeats were missed", en.messages.heartbeats("3")],
  ["the agent sent 3 wrong messages, the last: usage: rows.0", en.messages.wrongMessages("3", "usage: rows.0")],
  ["the connection ended (1006)", en.messages.endedWith("1006")],
  ["the configuration was not taken: no answer", en.messages.notTaken("no answer")],
])("%s", (said, words) => {
  expect(told(said)).toBe(words);
});

test("a reason that nobody knows stays as it was said", () => {
  for (const { words } of DICTIONARIES) expect(toldIn(words).message("the moon is full")).toBe("the moon is full");
});
