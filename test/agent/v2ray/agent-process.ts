// A stand-in for an agent that can be killed: a driver in a process of its own, spoken to through the parent's channel.
import { z } from "zod";
import { v2rayFactory } from "../../../src/agent/engines/v2ray/index.ts";
import { PlanUser, Structure } from "../../../src/protocol/plan.ts";
import { contextOf } from "../engines/rig.ts";

const Order = z.object({ directory: z.string(), structure: Structure, users: z.array(PlanUser) });

process.once("message", (message) => {
  void (async () => {
    const order = Order.parse(message);
    const info = await v2rayFactory.probe();
    if (!info) throw new Error("v2ray is missing");
    const driver = v2rayFactory.create(info, contextOf(order.directory, "allow"));
    const adopted = await driver.adopt();
    const { how } = await driver.apply({
      structure: order.structure,
      users: new Map(order.users.map((user) => [user.id, user])),
    });
    process.send?.({ adopted, how });
    process.on("message", () => {
      void driver
        .counters()
        .then(({ instance, users }) => process.send?.({ instance, users: Object.fromEntries(users) }));
    });
  })();
});
