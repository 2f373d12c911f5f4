// Every kind of actor, made known to a runtime: the panel's own, and the one by which the command line reads without a panel.
import { defineUserActor, type UserActor } from "../accounts/index.ts";
import { defineNodeActor, type NodeActor } from "../fleet/index.ts";
import type { Supervisor } from "../runtime/index.ts";

export interface KindPorts {
  /** The panel's time zone. */
  readonly timeZone: () => string;
  /** Begins the link to a node's agent. */
  readonly link: Parameters<typeof defineNodeActor>[0]["link"];
  /** Watches the node that has another one's agent. */
  readonly turn: Parameters<typeof defineNodeActor>[0]["turn"];
}

/** Registers all kinds. Gives those that features need by name. */
export function registerKinds(supervisor: Supervisor, { timeZone, link, turn }: KindPorts): { userActor: UserActor; nodeActor: NodeActor } {
  const userActor = defineUserActor(timeZone);
  const nodeActor = defineNodeActor({ timeZone, link, turn });
  supervisor.register(userActor);
  supervisor.register(nodeActor);
  return { userActor, nodeActor };
}
