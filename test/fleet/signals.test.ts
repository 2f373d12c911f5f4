// What links and syncing tell those who watch, with agents over real TLS.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SignalName, SignalTable } from "../../src/lib/signal-table.ts";
import { dialects } from "../database.ts";
import { PanelSide } from "./panel-side.ts";

describe.each(dialects)("signals of the fleet on %s", (dialect) => {
  let panel: PanelSide;
  beforeAll(async () => {
    panel = await PanelSide.open(dialect);
  });
  afterAll(() => panel.dispose());

  /** What is told of one node from now on. */
  const heard = <N extends SignalName>(name: N) => {
    const list: SignalTable[N][] = [];
    const stop = panel.signals.listen(name, (fields) => list.push(fields));
    const of = (nodeId: number) => list.filter((fields) => "nodeId" in fields && fields.nodeId === nodeId);
    return { of, stop };
  };

  test("a connection opens once and ends once, with the reason", async () => {
    const [opened, closed] = [heard("link.opened"), heard("link.closed")];
    const id = await panel.addNode("127.0.4.1");
    await panel.reaches(id, "linked.connected");
    expect(opened.of(id)).toEqual([{ nodeId: id, ms: expect.any(Number) }]);
    expect(closed.of(id)).toEqual([]);
    await panel.editNode(id, { enabled: false });
    await expect
      .poll(() => closed.of(id))
      .toEqual([{ nodeId: id, opened: true, reason: "stopped", ms: expect.any(Number) }]);
    expect(opened.of(id).length).toBe(1);
  });

  test("an agent that nobody reaches is told by the code of its cause, never by its address", async () => {
    const [opened, closed] = [heard("link.opened"), heard("link.closed")];
    const id = await panel.addNode("127.0.4.2", { port: 1 });
    await expect
      .poll(() => closed.of(id)[0])
      .toEqual({ nodeId: id, opened: false, reason: "connection_refused", ms: expect.any(Number) });
    expect(opened.of(id)).toEqual([]);
    await panel.editNode(id, { enabled: false });
  });

  test("a comparison, and then a push of one user for one change", async () => {
    const [compared, pushed] = [heard("sync.compared"), heard("sync.push")];
    const user = await panel.addUser();
    const id = await panel.addNode("127.0.4.3");
    await panel.reaches(id, "linked.connected");
    expect(compared.of(id)).toEqual([{ nodeId: id, agrees: true, ms: expect.any(Number) }]);
    expect(pushed.of(id)).toMatchObject([{ full: true, ended: "taken" }]);
    await panel.editUser(user, { speedLimit: 5 });
    await expect.poll(() => pushed.of(id).length).toBe(2);
    expect(pushed.of(id)[1]).toEqual({
      nodeId: id,
      full: false,
      users: 1,
      objects: 0,
      ended: "taken",
      ms: expect.any(Number),
    });
    expect(compared.of(id).length).toBe(1);
  });
});
