// Why a node is not served: what charts and links really note is a code with values, and has words in every language.
import { createServer, type Server } from "node:https";
import { createServer as createTcpServer, type AddressInfo, type Server as TcpServer } from "node:net";
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { NodeCause } from "../../../machines/node-cause.ts";
import type { NodeContext, NodeEvent } from "../../../machines/node-context.ts";
import { nodeMachine } from "../../../machines/node.ts";
import { dialAgent, PinMismatch } from "../../../src/fleet/link/dial.ts";
import { cause, causeOf, dialFailure, LinkFailure } from "../../../src/fleet/link/link-failure.ts";
import { nodeCause } from "../../../src/fleet/records/node-trouble.ts";
import type { LinkIdentity } from "../../../src/fleet/link/identity.ts";
import { Chart } from "../../../src/runtime/chart.ts";
import { en } from "../../../src/web/words/en.ts";
import { translateCauses } from "../../../src/web/words/translate.ts";
import { makePanelIdentity } from "../../agent/panel.ts";
import { quietPorts } from "../../quiet-ports.ts";
import { DICTIONARIES } from "./dictionaries.ts";
import { idle } from "../../machines/idle-node.ts";

const LOOPBACK = "127.0.0.1";
const english = translateCauses(en);
const told = (why: NodeCause | null) => english(why, "in English");

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
  async function noted(address: string, port: number): Promise<NodeCause> {
    const error: unknown = await dialAgent(identity, { address, port }, "", AbortSignal.timeout(60_000)).catch(
      (failure: unknown) => failure,
    );
    if (!(error instanceof LinkFailure)) throw new Error("it was answered", { cause: error });
    expect(error.message).not.toBe("");
    return error.why;
  }

  test("because nobody listens", async () => {
    const [port = 0] = await quietPorts(1);
    expect(told(await noted(LOOPBACK, port))).toBe(en.messages.here.connection_refused(`${LOOPBACK}:${port}`));
  });

  test("because the connection is closed at once", async () => {
    expect(told(await noted(LOOPBACK, portOf(closing)))).toBe(
      en.messages.here.connection_cut(`${LOOPBACK}:${portOf(closing)}`),
    );
  });

  test("on another machine its network is named, on this one its process", () => {
    const timedOut = (at: string): string => told({ code: "timed_out", values: [at] });
    expect(timedOut("192.0.2.1:443")).toBe(en.messages.timed_out("192.0.2.1:443"));
    expect(timedOut("1.127.0.1:443")).toBe(en.messages.timed_out("1.127.0.1:443"));
    for (const at of ["127.0.0.1:443", "127.3.2.1:443", "[::1]:443", "localhost:443"])
      expect(timedOut(at)).toBe(en.messages.here.timed_out(at));
  });

  test("because another program answers", async () => {
    expect(told(await noted(LOOPBACK, portOf(other)))).toBe(
      en.messages.other_program(`${LOOPBACK}:${portOf(other)}`, 404),
    );
  });

  test("because the name is nobody's", async () => {
    expect(told(await noted("nobody.invalid", 62050))).toBe(en.messages.unknown_name("nobody.invalid"));
  });

  test("because another key answers", async () => {
    expect(causeOf(new PinMismatch("saved", "presented"))).toEqual({
      code: "mismatched",
      values: ["presented", "saved"],
    });
  });
});

describe("the node chart's own reasons", () => {
  const chart = new Chart<NodeContext>(nodeMachine);
  const causeAfter = (
    start: Partial<NodeContext>,
    ...events: (NodeEvent | { type: `xstate.after.${string}` })[]
  ): NodeCause | null => {
    let step = chart.initial({ ...idle, ...start });
    for (const event of events) step = chart.step(step, event);
    return step.context.cause;
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
  const lost = { type: "link.lost", message: "3 heartbeats were missed", jitter: 0.5 } as const;

  test.each([
    ["off", causeAfter({ enabled: false }), en.messages.off],
    ["limit", causeAfter({ limited: true }), en.messages.limit],
    ["licence", causeAfter({ licensed: false }), en.messages.licence],
    [
      "no greeting",
      causeAfter({}, { type: "xstate.after.dialDeadline.node.linked.connecting.dialing" }),
      en.messages.no_greeting(20),
    ],
    [
      "a late configuration",
      causeAfter({}, opened, { type: "xstate.after.syncDeadline.node.linked.connecting.syncing" }),
      en.messages.late_configuration,
    ],
    ["silence", causeAfter({}, { ...lost, cause: cause("silent", 3) }), en.messages.silent(3)],
  ])("%s", (_name, why, words) => {
    expect(told(why)).toBe(words);
  });

  test("are kept until the node serves", () => {
    expect(causeAfter({}, { ...lost, cause: cause("silent", 3) }, { type: "reconnect" })).toBeNull();
    const synced = { type: "link.synced", warnings: [] } as const;
    expect(causeAfter({}, opened, { type: "link.refused", message: "no", jitter: 0 })).toEqual({
      code: "refused",
      values: [],
    });
    expect(causeAfter({}, opened, { type: "link.refused", message: "no", jitter: 0 }, synced)).toBeNull();
  });
});

test("a row that a panel wrote before charts knew causes says what it knew", () => {
  const row = { mstate: "error.waiting", mctx: { failed: "unreachable", holder: 0 }, message: "so" };
  expect(nodeCause(row)).toEqual({ code: "unreachable", values: [], detail: "so" });
  expect(nodeCause({ ...row, mctx: { failed: "duplicate", holder: 7 } })).toEqual({
    code: "duplicate",
    values: [7],
    detail: "so",
  });
  expect(nodeCause({ ...row, mstate: "disabled.limit", mctx: {} })).toEqual({
    code: "limit",
    values: [],
    detail: "so",
  });
  expect(nodeCause({ ...row, mstate: "disabled.manual", mctx: {} })).toBeNull();
  expect(nodeCause({ ...row, mstate: "linked.connected", mctx: { failed: "" } })).toBeNull();
});

// rule nodes.status.9
test.each([
  [errno("ETIMEDOUT"), en.messages.timed_out("10.0.0.1:1")],
  [errno("EHOSTUNREACH"), en.messages.no_route("10.0.0.1:1")],
  [errno("ENETUNREACH"), en.messages.no_route("10.0.0.1:1")],
  [errno("EPIPE"), en.messages.connection_cut("10.0.0.1:1")],
  [new Error("unable to verify"), en.messages.unreachable("10.0.0.1:1", "unable to verify")],
])("a dial that ends with %s", (error, words) => {
  expect(told(dialFailure("10.0.0.1:1", error).why)).toBe(words);
});

function errno(code: string): Error {
  return Object.assign(new Error(`connect ${code}`), { code });
}

test("a code that nobody knows, and one with too few values, stay as they were said", () => {
  for (const { words } of DICTIONARIES) {
    const tell = translateCauses(words);
    expect(tell({ code: "toString", values: [] }, "the moon is full")).toBe("the moon is full");
    expect(tell({ code: "refused", values: [] }, "inbound a: no")).toBe("inbound a: no");
    expect(tell({ code: "other_program", values: ["x"] }, "so")).toBe("so");
    expect(tell(null, "so")).toBe("so");
  }
});
