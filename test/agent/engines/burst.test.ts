// When many connections open at the same time, engine logs do not name them all. A removed user is still disconnected,
// and users from other addresses stay.
import type { Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { installedEngines } from "./installed.ts";
import { dial, until, user } from "./rig.ts";
import { setStage } from "./stage.ts";
import { startStopwatch } from "../../stopwatch.ts";

const engines = await installedEngines();
const EACH = 60;

describe.each(engines.filter(({ info }) => info.can.closeSessions))("$kind: a burst of connections", (engine) => {
  test("leaves a removed user none", async () => {
    const [one, two] = [user(1), user(2)];
    const stage = await setStage(engine, [one, two], ({ name }) => name === "vless tcp");
    const { target } = stage;
    try {
      const client = await stage.sit(
        stage.lanes.flatMap((lane) => [
          { lane, who: one, from: "127.0.0.2" },
          { lane, who: two, from: "127.0.0.3" },
        ]),
      );
      const burst = async (index: number) => {
        const running = new Set<Socket>();
        let closed = 0;
        const sockets = await Promise.all(
          Array.from({ length: EACH }, async () =>
            dial(client.ports[index] ?? 0, "127.0.0.1", target.port).catch(() => undefined),
          ),
        );
        for (const socket of sockets) {
          socket?.on("close", () => (closed += running.has(socket) ? 1 : 0));
          socket?.on("data", () => running.add(socket));
          socket?.write("drip\n");
        }
        return {
          running: () => running.size,
          closed: () => closed,
          end: () => sockets.forEach((socket) => socket?.destroy()),
        };
      };
      const [mine, others] = await Promise.all([burst(0), burst(1)]);
      // On a busy machine some are not granted, or late.
      await until("most downloads run", () => mine.running() > EACH / 2 && others.running() > EACH / 2);
      await until(
        "what was asked for has come or failed",
        () => mine.running() + others.running() === target.open(),
        5000,
      ).catch(() => undefined);
      const hers = others.running() + Math.max(0, target.open() - mine.running() - others.running());
      const elapsed = startStopwatch();
      await stage.change([one, two], [two]);
      // Counted at the target: the client program holds some of its own ends open for longer.
      await until("every connection of the removed user is cut", () => target.open() <= hers);
      expect(elapsed()).toBeLessThan(5000);
      expect(others.closed()).toBe(0);
      mine.end();
      others.end();
    } finally {
      await stage.end();
    }
  });
});
