// A driver with real Xray that serves chosen lanes, real Xray clients, and a target.
import type { EngineInfo } from "../../../src/agent/engines/contract/driver.ts";
import { xrayFactory } from "../../../src/agent/engines/xray/index.ts";
import type { PlanObject, PlanUser } from "../../../src/protocol/plan.ts";
import {
  type Client,
  inbound,
  ports,
  type Rig,
  startRig,
  startTarget,
  structure,
  type Target,
  users,
} from "../engines/rig.ts";
import { type Lane, type Scenery, startSite, startXrayClient } from "./lanes.ts";
import { selfSigned } from "../../certificate.ts";
import type { ApplyResult } from "../../../src/agent/engines/contract/driver.ts";

export interface Scene {
  readonly rig: Rig;
  readonly target: Target;
  readonly scenery: Scenery;
  /** Inbound `n + 1`, tag `in-<n + 1>`, is of lane `n`. */
  readonly inbounds: readonly PlanObject[];
  portOf(index: number): number;
  apply(objects: readonly PlanObject[], people: readonly PlanUser[]): Promise<ApplyResult>;
  /** A client with a SOCKS port for each lane. */
  client(who: PlanUser, lanes?: readonly Lane[]): Promise<Client>;
  end(): Promise<void>;
}

export async function setScene(
  info: EngineInfo,
  lanes: readonly Lane[],
  privateTargets: "block" | "allow" = "allow",
): Promise<Scene> {
  const pair = await selfSigned("w.test", "127.0.0.1");
  const [rig, target, site] = await Promise.all([
    startRig(xrayFactory, info, privateTargets),
    startTarget(),
    startSite(pair),
  ]);
  const scenery = { pair, sitePort: site.port };
  const listening = await ports(lanes.length);
  const clients: Client[] = [];
  const portOf = (index: number): number => listening[index] ?? 0;
  return {
    rig,
    target,
    scenery,
    inbounds: lanes.map((lane, index) =>
      inbound(index + 1, lane.type, { listen: "127.0.0.1", listen_port: portOf(index), ...lane.server(scenery) }),
    ),
    portOf,
    apply: async (objects, people) => rig.driver.apply({ structure: structure(...objects), users: users(...people) }),
    client: async (who, chosen = lanes) => {
      const client = await startXrayClient(
        chosen.map((lane) => lane.client(who, portOf(lanes.indexOf(lane)), scenery)),
      );
      clients.push(client);
      return client;
    },
    end: async () => {
      await Promise.all(clients.map(async (client) => client.end()));
      target.close();
      site.close();
      await rig.end();
    },
  };
}
