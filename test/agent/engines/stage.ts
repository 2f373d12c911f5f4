// An engine with one inbound per lane, and connected clients: the fixture of tests about who is connected and who is
// disconnected.
import { setTimeout as pause } from "node:timers/promises";
import { expect } from "vitest";
import type { PlanUser, Structure } from "../../../src/protocol/plan.ts";
import type { Installed } from "./installed.ts";
import { type Lane, LANES, type Seat, startSeats } from "./lanes.ts";
import { quietPorts } from "../../quiet-ports.ts";
import {
  type Client,
  type Drip,
  reach,
  type Rig,
  startDrip,
  startRig,
  startTarget,
  structure,
  type Target,
  until,
  users,
} from "./rig.ts";
import type { AgentNotice } from "../../../src/agent/notices.ts";
import { selfSigned } from "../../certificate.ts";

export interface Stage {
  readonly rig: Rig;
  readonly target: Target;
  readonly lanes: readonly Lane[];
  /** Inbound `n + 1`, tag `in-<n + 1>`, is of lane `n`. */
  readonly plan: Structure;
  /** Port of an inbound. */
  portOf(inboundId: number): number;
  /** A client for these seats; ended with the stage. */
  sit(seats: readonly Omit<Seat, "port">[]): Promise<Client>;
  /** A running download for each seat of a client. */
  drips(client: Client): Promise<Drip[]>;
  /** Warnings of the last apply or change. */
  warnings(): readonly string[];
  /** Takes the driver through the change from `before` to `after`. */
  change(before: readonly PlanUser[], after: readonly PlanUser[]): Promise<void>;
  end(): Promise<void>;
}

/** Serves `people` on every lane of the engine that `choose` takes. */
export async function setStage(
  { factory, info }: Installed,
  people: readonly PlanUser[],
  choose: (lane: Lane) => boolean = () => true,
): Promise<Stage> {
  const lanes = LANES.filter((lane) => lane.engines.includes(factory.kind) && choose(lane));
  const [rig, target, pair] = await Promise.all([startRig(factory, info), startTarget(), selfSigned("node.test")]);
  const clients: Client[] = [];
  const end = async (): Promise<void> => {
    await Promise.all(clients.map(async (client) => client.end()));
    target.close();
    await rig.end();
  };
  const listening = await quietPorts(lanes.length);
  const portOf = (inboundId: number): number => listening[inboundId - 1] ?? 0;
  const plan = structure(...lanes.map((lane, index) => lane.inbound(index + 1, portOf(index + 1), pair)));
  let warnings: readonly AgentNotice[] = [];
  try {
    ({ warnings } = await rig.driver.apply({ structure: plan, users: users(...people) }));
  } catch (error) {
    await end();
    throw error;
  }
  return {
    rig,
    target,
    lanes,
    plan,
    portOf,
    sit: async (seats) => {
      const client = await startSeats(seats.map((seat) => ({ ...seat, port: portOf(lanes.indexOf(seat.lane) + 1) })));
      clients.push(client);
      return client;
    },
    drips: async (client) =>
      Promise.all(client.ports.map(async (port) => insist(async () => startDrip(port, target.port)))),
    change: async (before, after) => {
      const put = after.filter((one) => !before.includes(one));
      const drop = before.filter(({ id }) => !after.some((one) => one.id === id)).map(({ id }) => id);
      ({ warnings } = await rig.driver.changeUsers({ put, drop }, { structure: plan, users: users(...after) }));
    },
    warnings: () => warnings.map(({ detail }) => detail),
    end,
  };
}

/** Fails with the names of the lanes whose downloads do not go on. `drips`: one for each lane. */
export async function goesOn(stage: Stage, drips: readonly Drip[]): Promise<void> {
  const before = drips.map((drip) => drip.bytes());
  const stuck = (): string[] =>
    stage.lanes.flatMap(({ name }, index) => {
      const drip = drips[index];
      return drip?.open() === true && drip.bytes() > (before[index] ?? 0) + 20_000 ? [] : [name];
    });
  await until("all go on", () => stuck().length === 0).catch(() => expect(stuck()).toEqual([]));
}

/**
 * Lanes over which the target is not reached, each with the reason. `ports`: one for each lane. Only a lane that loses
 * connections gets further tries.
 */
export async function unreached({ lanes, rig, target }: Stage, ports: readonly number[]): Promise<string[]> {
  const failed: string[] = [];
  for (const [index, { name, lossy = [] }] of lanes.entries()) {
    const attempt = async (): Promise<void> => reach(ports[index] ?? 0, "127.0.0.1", target.port);
    await (lossy.includes(rig.driver.info.kind) ? insist(attempt) : attempt()).catch((error: unknown) =>
      failed.push(`${name}: ${String(error)}`),
    );
  }
  return failed;
}

/**
 * For what engines do not always grant at once: sing-box's httpupgrade server drops what comes between its answer and
 * its taking the connection over, and REALITY those whose borrowed handshake is late. The site that it borrows from is
 * often this very process, so tries at once would all come while it is busy. `attempt` rejects where it was not
 * granted.
 */
export async function insist<T>(attempt: () => Promise<T>): Promise<T> {
  for (let wait = 25; wait <= 1600; wait *= 2) {
    try {
      return await attempt();
    } catch {
      await pause(wait);
    }
  }
  return attempt();
}
