// An agent that kills itself at a chosen moment of a handover: a driver in a process of its own, with a port map that
// knows the moment.
import { z } from "zod";
import type { DriverContext } from "../../../src/agent/engines/contract/driver.ts";
import { openPortMap } from "../../../src/agent/engines/portmap/index.ts";
import type { PortMap } from "../../../src/agent/net-admin/nft/port-map.ts";
import { ProcessDriver } from "../../../src/agent/engines/process/driver.ts";
import { PlanUser, Structure } from "../../../src/protocol/plan.ts";
import { dialectOf } from "./dialects.ts";
import { installedEngines } from "./installed.ts";
import { contextOf } from "./rig.ts";

const Desired = z.object({ structure: Structure, users: z.array(PlanUser) });

/** `before`, `after`: the second time the map is set, before or after the kernel has it. */
const Order = z.object({
  kind: z.string(),
  directory: z.string(),
  moment: z.enum(["before", "after"]),
  first: Desired,
  second: Desired,
});

function dyingMap(map: PortMap, moment: "before" | "after"): PortMap {
  let times = 0;
  const dieAt = (now: "before" | "after"): void => {
    if (times === 2 && now === moment) process.kill(process.pid, "SIGKILL");
  };
  return {
    guardTargets: async (guard) => map.guardTargets(guard),
    set: async (mappings) => {
      times += 1;
      dieAt("before");
      await map.set(mappings);
      dieAt("after");
    },
    keepClosed: async (inner) => map.keepClosed(inner),
    dropFlows: async (flows, seconds) => map.dropFlows(flows, seconds),
    flows: async (localPorts, fresh) => map.flows(localPorts, fresh),
    remove: async () => map.remove(),
    detach: () => map.detach(),
  };
}

async function run(message: unknown): Promise<void> {
  const order = Order.parse(message);
  const engine = (await installedEngines()).find(({ kind }) => kind === order.kind);
  if (!engine) throw new Error(`${order.kind} is missing`);
  const context: DriverContext = contextOf(order.directory, "allow");
  const driver = new ProcessDriver(dialectOf(engine.info), engine.info, context, async () => {
    const map = await openPortMap(order.directory, () => undefined);
    return map && dyingMap(map, order.moment);
  });
  const state = ({ structure, users }: z.infer<typeof Desired>) => ({
    structure,
    users: new Map(users.map((user) => [user.id, user])),
  });
  await driver.adopt();
  await driver.apply(state(order.first));
  process.send?.("served");
  process.once("message", () => void driver.apply(state(order.second)));
}

process.once("message", (message) => void run(message));
