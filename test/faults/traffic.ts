// A small simulated fleet beside the load: its links must stay or come back, and every byte that its agents count must
// arrive, once.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, vi } from "vitest";
import { quietPorts } from "../quiet-ports.ts";
import { addressOf, makeMany, makeUsers, nodesWith, startFleet, usageOf, type SimulatedFleet } from "../e2e/fleet.ts";
import type { E2ePanel } from "../e2e/panel.ts";

const NODES = 4;
const USERS = 40;

export class Traffic {
  readonly #panel: E2ePanel;
  readonly #fleet: SimulatedFleet;
  readonly #nodes: readonly number[];
  readonly #directory: string;

  private constructor(panel: E2ePanel, fleet: SimulatedFleet, nodes: readonly number[], directory: string) {
    this.#directory = directory;
    this.#panel = panel;
    this.#fleet = fleet;
    this.#nodes = nodes;
  }

  /** Resolves when every node is connected and usage comes in. */
  static async start(panel: E2ePanel): Promise<Traffic> {
    const [port = 0, inboundPort = 0] = await quietPorts(2);
    // Apart from the panel's data, which may be on a disk that is about to fail.
    const directory = mkdtempSync(join(tmpdir(), "signalbox-traffic-"));
    const fleet = await startFleet(panel.api, { directory, port, active: 50, rate: 9001 });
    const [inbound] = await makeMany(panel.api, "inbounds", 1, () => ({
      tag: "in",
      type: "vless",
      config: { listen_port: inboundPort },
    }));
    const [templateId] = await makeMany(panel.api, "templates", 1, () => ({ name: "traffic", inboundIds: [inbound] }));
    await makeUsers(panel.api, USERS, (index) => ({ name: `traffic-${index}`, templateIds: [templateId] }));
    const nodes = await makeMany(panel.api, "nodes", NODES, (index) => ({
      name: `node-${index}`,
      address: addressOf(index),
      port,
      templateId,
    }));
    const traffic = new Traffic(panel, fleet, nodes, directory);
    await traffic.connected();
    await vi.waitFor(async () => expect((await usageOf(panel.api)).size).toBeGreaterThan(5), {
      timeout: 120_000,
      interval: 100,
    });
    return traffic;
  }

  /** Resolves when every node is connected. */
  async connected(): Promise<void> {
    await vi.waitFor(async () => expect(await nodesWith(this.#panel.api, "connected")).toBeGreaterThanOrEqual(NODES), {
      timeout: 120_000,
      interval: 100,
    });
  }

  /** How often the agents were dialled so far. */
  dials(): number {
    return Object.values(this.#fleet.report().nodes).reduce((sum, { dials }) => sum + dials, 0);
  }

  /** Ends the traffic; then the panel must have counted what the agents counted, to the byte. */
  async settle(): Promise<void> {
    for (const id of this.#nodes) await this.#panel.api.ok("PUT", `/nodes/${id}/template`, { templateId: null });
    try {
      await expect
        .poll(async () => differences(this.#sums(), await usageOf(this.#panel.api)), { interval: 500 })
        .toEqual([]);
    } catch (error) {
      throw new Error(`the books differ: ${JSON.stringify(await this.#nodesAsTheyAre())}`, { cause: error });
    }
    expect(this.#sums().size).toBeGreaterThan(5);
  }

  /** What tells why something was not counted: the nodes' states, their dials, and what was refused of them. */
  async #nodesAsTheyAre(): Promise<unknown[]> {
    const { nodes } = this.#fleet.report();
    const ask = (path: string) => this.#panel.api.ok("GET", path);
    return Promise.all(
      this.#nodes.map(async (id, index) => ({
        node: await ask(`/nodes/${id}`),
        links: nodes[addressOf(index)]?.links,
        dials: nodes[addressOf(index)]?.dials,
        refused: await ask(`/nodes/${id}/usage-refusals?limit=20`),
      })),
    );
  }

  async stop(): Promise<void> {
    await this.#fleet.stop();
    rmSync(this.#directory, { recursive: true, force: true });
  }

  #sums(): Map<number, { up: number; down: number }> {
    const sums = new Map<number, { up: number; down: number }>();
    for (const { users } of Object.values(this.#fleet.report().nodes)) {
      for (const [id, { up, down }] of Object.entries(users)) {
        const sum = sums.get(Number(id)) ?? { up: 0, down: 0 };
        sums.set(Number(id), { up: sum.up + up, down: sum.down + down });
      }
    }
    return sums;
  }
}

type Sums = ReadonlyMap<number, { up: number; down: number }>;

function differences(expected: Sums, counted: Sums): string[] {
  const ids = new Set([...expected.keys(), ...counted.keys()]);
  return [...ids].flatMap((id) => {
    const [want, have] = [JSON.stringify(expected.get(id)), JSON.stringify(counted.get(id))];
    return want === have ? [] : [`user ${id}: agents ${want}, panel ${have}`];
  });
}
