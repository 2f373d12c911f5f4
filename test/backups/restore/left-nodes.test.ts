// Nodes around a restore: which ones nobody would know, and which ones are of another machine.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { foreignLocals, tellToStop, unknownIn, type FleetNode } from "../../../src/backups/restore/left-nodes.ts";

const node = (id: number, fields: Partial<FleetNode> = {}): FleetNode => ({
  id,
  name: `node-${id}`,
  address: `192.0.2.${id}`,
  port: 7443,
  enabled: true,
  isLocal: false,
  ...fields,
});
const ids = (nodes: readonly FleetNode[]) => nodes.map(({ id }) => id);

// rule backups.restore.5
it("finds agents that the archive does not know, by where they are reached", () => {
  const before = [node(1), node(2), node(3), node(4, { enabled: false }), node(5, { address: "Node.Example" })];
  const after = [
    node(1),
    node(9, { address: "192.0.2.2" }),
    node(3, { port: 8443 }),
    node(5, { address: "node.example" }),
  ];
  // The second is another record of the same agent; the third is an agent on another port.
  expect(ids(unknownIn(before, after))).toEqual([3]);
});

// rule backups.restore.5
it("names those that could not be told to stop", async () => {
  const told: number[] = [];
  const silent = await tellToStop(
    Array.from({ length: 70 }, (_, id) => node(id)),
    async (id) => {
      told.push(id);
      if (id === 7) throw new Error("no link");
      return id !== 40;
    },
  );
  expect(told).toHaveLength(70);
  expect(ids(silent)).toEqual([7, 40]);
});

// rule backups.restore.5
it("takes a local node for one of another machine unless its agent is here, or this panel had it", () => {
  const data = mkdtempSync(join(tmpdir(), "signalbox-left-"));
  try {
    mkdirSync(join(data, "agents", "3"), { recursive: true });
    const local = { isLocal: true };
    const after = [node(1, local), node(2, local), node(3, local), node(4), node(5, { ...local, enabled: false })];
    expect(ids(foreignLocals([node(1, local), node(2)], after, data))).toEqual([2]);
  } finally {
    rmSync(data, { recursive: true });
  }
});
