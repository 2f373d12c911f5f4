// Which way a connection is cut: its socket, the engine's list, or the drop of its flow, by what the machine and the
// engine have.
import { describe, expect, test } from "vitest";
import { cutSessions, DROP_SECONDS } from "../../../src/agent/engines/process/view/cuts.ts";
import type { EngineControl } from "../../../src/agent/engines/process/dialect.ts";
import type { LiveSession } from "../../../src/agent/engines/process/view/liveness.ts";
import type { Flow, PortMap } from "../../../src/agent/net-admin/nft/port-map.ts";

const flow: Flow = { address: "198.51.100.1", port: 1000, localPort: 20_443 };
const socket = {
  localPort: 443,
  peer: "198.51.100.1:1000",
  address: "198.51.100.1",
  port: 1000,
  sent: 0,
  received: 0,
  silentMs: 0,
};

function scene() {
  const closed: string[] = [];
  const dropped: [readonly Flow[], number][] = [];
  // Only what a cut calls is there.
  const control = {
    closeStreams: async (ids: readonly string[]) => Promise.resolve(void closed.push(...ids)),
  } as unknown as EngineControl;
  const portMap = {
    dropFlows: async (flows: readonly Flow[], seconds: number) => Promise.resolve(void dropped.push([flows, seconds])),
  } as unknown as PortMap;
  const owned = {
    control,
    stream: {
      id: "s",
      inboundTag: "in.3.a",
      source: "198.51.100.1",
      sourcePort: 1000,
      network: "tcp" as const,
      destination: "a:1",
      up: 0,
      down: 0,
      startedAt: 1,
    },
  };
  const session = (changes: Partial<LiveSession>): LiveSession => ({
    row: {
      id: "x",
      userId: 7,
      inboundId: 3,
      inbound: "in-3",
      outbound: "",
      network: "tcp",
      source: "",
      destination: "",
      up: 0,
      down: 0,
      startedAt: 1,
    },
    order: 1,
    key: "3|198.51.100.1|1000",
    address: "198.51.100.1",
    socket: undefined,
    flows: [],
    streams: [],
    idle: false,
    ...changes,
  });
  return { closed, dropped, portMap, owned, session };
}

describe("a cut", () => {
  test("without the right to cut sockets closes by the engine's list, and says when there is no way", async () => {
    const { closed, owned, session } = scene();
    const listed = session({ socket, streams: [owned] });
    expect(await cutSessions([listed, session({ socket })], { portMap: undefined }, false, "close")).toEqual([listed]);
    expect(closed).toEqual(["s"]);
  });

  test("of a listed connection over UDP is no ban; a removal drops its flow too", async () => {
    const { closed, dropped, owned, portMap, session } = scene();
    const listed = session({ flows: [flow], streams: [owned] });
    expect(await cutSessions([listed], { portMap }, true, "close")).toEqual([listed]);
    expect([closed, dropped]).toEqual([["s"], []]);
    await cutSessions([listed, listed], { portMap }, true, "removal");
    expect(dropped).toEqual([[[flow], DROP_SECONDS]]);
  });

  test("where the engine lists nothing, the flow is dropped; without the port map there is no way", async () => {
    const { dropped, portMap, session } = scene();
    const unlisted = session({ flows: [flow] });
    expect(await cutSessions([unlisted], { portMap }, true, "close")).toEqual([unlisted]);
    expect(dropped).toEqual([[[flow], DROP_SECONDS]]);
    expect(await cutSessions([unlisted], { portMap: undefined }, true, "close")).toEqual([]);
  });
});
