// A panel made ready for its kills: set up as a person does it, with a reseller, a webhook, a simulated fleet and
// something to begin with.
import { quietPorts } from "../quiet-ports.ts";
import { z } from "zod";
import { Api } from "../e2e/api.ts";
import { addressOf, startFleet, type SimulatedFleet } from "../e2e/fleet.ts";
import { setUpPanel } from "../e2e/set-up.ts";
import { letLeasesRunOut } from "./books/disk.ts";
import { PanelProcess } from "./panel.ts";
import type { Plan } from "./plan.ts";
import type { Receiver } from "./receiver.ts";
import type { Stage } from "./requests.ts";

const SETUP_TOKEN = "setup-token-of-the-test";
/** By position in the fleet. */
export const MULTIPLIERS = [1, 1.5, 0.333_333, 2.25] as const;
/** Bytes a second of an active user on each node. */
const RATE = 20_001;

const Made = z.object({ id: z.number() });

export interface Place {
  readonly directory: string;
  readonly port: number;
  readonly databaseUrl: string;
  readonly receiver: Receiver;
  readonly secret: string;
}

export interface Ready {
  readonly stage: Stage;
  readonly token: string;
  readonly fleet: SimulatedFleet;
}

/** Variables of every panel process of a place. */
export function environmentOf({ directory, port, databaseUrl }: Place): Record<string, string> {
  return {
    SIGNALBOX_DATA_DIR: directory,
    SIGNALBOX_DATABASE_URL: databaseUrl,
    SIGNALBOX_LISTEN: `127.0.0.1:${port}`,
    SIGNALBOX_SETUP_TOKEN: SETUP_TOKEN,
    SIGNALBOX_ENGINE: "none",
    SIGNALBOX_LOG_LEVEL: "warn",
  };
}

/**
 * Starts panels on an empty database: first those that are killed before they listen, then one that is set up, and
 * killed.
 */
export async function setUp(place: Place, first: readonly Plan[], log: string): Promise<Ready> {
  const environment = environmentOf(place);
  for (const plan of first) {
    const panel = new PanelProcess({ environment, plan, log });
    await panel.go();
    await panel.kill();
    panel.diedAt();
    await letLeasesRunOut(place.databaseUrl);
  }
  const panel = new PanelProcess({ environment, plan: { by: "moment", afterMs: 0, answers: -1 }, log });
  try {
    if (!(await panel.go())) throw new Error("the panel did not start");
    return await furnish(place);
  } finally {
    await panel.kill();
  }
}

async function furnish(place: Place): Promise<Ready> {
  const url = `http://127.0.0.1:${place.port}`;
  const { id: tokenId, token } = await setUpPanel(url, { setupToken: SETUP_TOKEN, desc: "crash" });
  const api = new Api(url, { authorization: `Bearer ${token}` });
  const make = async (collection: string, body: object) => Made.parse(await api.ok("POST", `/${collection}`, body)).id;
  await api.ok("PUT", "/settings/webhook_allow_private", { value: "true" });
  const { receiver, secret } = place;
  const hook = await make("webhooks", { name: "everything", url: `${receiver.url}/all`, secret });
  const reseller = await make("admins", { username: "reseller", password: "another horse battery", role: "resale" });
  const [fleetPort = 0, closedPort = 0] = await quietPorts(2);
  const fleet = await startFleet(api, { directory: place.directory, port: fleetPort, active: 100, rate: RATE });
  try {
    const stage = await populate(make, { addressPort: fleetPort, closedPort, hook, reseller, token: tokenId, place });
    return { stage, token, fleet };
  } catch (error) {
    await fleet.stop();
    throw error;
  }
}

interface Furniture {
  readonly addressPort: number;
  readonly closedPort: number;
  readonly hook: number;
  readonly reseller: number;
  readonly token: number;
  readonly place: Place;
}

/** The records of the fleet. */
async function populate(
  make: (collection: string, body: object) => Promise<number>,
  furniture: Furniture,
): Promise<Stage> {
  const { addressPort, closedPort, hook, reseller, token, place } = furniture;
  const fleetInbound = await make("inbounds", { tag: "fleet", type: "vless", config: { listen_port: 19_999 } });
  const fleetTemplate = await make("templates", { name: "fleet", inboundIds: [fleetInbound] });
  const fleetNodes: number[] = [];
  for (const [index, multiplier] of MULTIPLIERS.entries()) {
    const node = {
      name: `fleet-${index}`,
      address: addressOf(index),
      port: addressPort,
      templateId: fleetTemplate,
      multiplier,
    };
    fleetNodes.push(await make("nodes", node));
  }
  const { receiver, secret } = place;
  return { reseller, fleetTemplate, fleetNodes, fleetInbound, receiver: receiver.url, secret, hook, token, closedPort };
}
