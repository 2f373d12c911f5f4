// A panel with its interface and a small fleet, and one browser before it: `const stage = await openStage()`, then a
// visit for each window that a test needs.
import type { Browser } from "playwright-core";
import { startPanel, type E2ePanel } from "../../e2e/panel.ts";
import { addressOf, makeMany, makeUsers, nodesWith, startFleet, type SimulatedFleet } from "../../e2e/fleet.ts";
import { quietPorts } from "../../quiet-ports.ts";
import { builtInterface } from "../built.ts";
import { launchBrowser } from "./chromium.ts";
import { Visit, type VisitOptions } from "./visit.ts";

export const ROOT = { username: "root", password: "correct horse battery" };
/** Nobody answers at it: always in error. */
const SILENT = { address: "127.1.0.250", port: 9 };
const LINKED = 5;
/** Names that people, or their enemies, give. */
const NAMES = [
  "<img src=x onerror=alert(1)>",
  "\u200fgnp.exe",
  "کاربر شماره یک",
  "a name that goes on and on and on and on and on until the line is full",
];

export interface StageOptions {
  /** Nothing but a panel that waits for setup. */
  readonly pending?: true;
  /** A fleet of simulated nodes; users and nodes without one are not there either. */
  readonly fleet?: boolean;
  /** Accounts of the fleet: more than fit into a window, all kinds among the first ten. */
  readonly users?: number;
  /** Share of them that move traffic, in percent; which ones changes every five minutes. */
  readonly active?: number;
}

export interface StageRecords {
  readonly users: readonly number[];
  /** Connected ones, and one in error. */
  readonly nodes: readonly number[];
  readonly silent: number;
}

export class BrowserStage {
  readonly panel: E2ePanel;
  readonly browser: Browser;
  records: StageRecords = { users: [], nodes: [], silent: 0 };
  #fleet: SimulatedFleet | undefined;
  #state: VisitOptions["state"];

  constructor(panel: E2ePanel, browser: Browser) {
    this.panel = panel;
    this.browser = browser;
  }

  /** A window; `signedIn` through the page for the first, with its cookies for the rest. */
  async visit(options: VisitOptions & { readonly signedIn?: boolean } = {}): Promise<Visit> {
    const { signedIn = true, ...rest } = options;
    if (!signedIn) return Visit.open(this.browser, this.panel.url, rest);
    this.#state ??= await this.#signedInState();
    return Visit.open(this.browser, this.panel.url, { ...rest, state: this.#state });
  }

  async #signedInState(): Promise<NonNullable<VisitOptions["state"]>> {
    const visit = await Visit.open(this.browser, this.panel.url);
    await visit.signIn(ROOT.username, ROOT.password);
    const { cookies } = await visit.context.storageState();
    await visit.close();
    // Leaves out what the page keeps in the browser (language, theme): each visit has its own.
    return { cookies: cookies.filter(({ name }) => name !== "signalbox_language"), origins: [] };
  }

  async populate(accounts: number, active: number): Promise<void> {
    const { api, directory } = this.panel;
    const [port = 0] = await quietPorts(1);
    this.#fleet = await startFleet(api, { directory, port, active, rate: 20_000 });
    const [inbound] = await makeMany(api, "inbounds", 1, () => ({
      tag: "in",
      type: "vless",
      config: { listen_port: 20_001 },
    }));
    const [templateId] = await makeMany(api, "templates", 1, () => ({ name: "template", inboundIds: [inbound] }));
    await api.make("fronts", { name: "front", domain: "front.example" });
    const nodes = await makeMany(api, "nodes", LINKED, (index) => ({
      name: `node-${index}`,
      address: addressOf(index),
      port,
      templateId,
    }));
    const silent = await api.make("nodes", { name: "silent", ...SILENT, templateId });
    const day = 86_400;
    const now = Math.floor(Date.now() / 1000);
    const users = await makeUsers(api, accounts, (index) => ({
      name: NAMES[index] ?? `user-${index}`,
      templateIds: [templateId],
      ...(index % 4 === 1 && { expiry: now + index * day }),
      ...(index % 4 === 2 && { volume: index * 1_000_000_000 }),
      ...(index % 4 === 3 && { duration: 30 * day }),
    }));
    for (const index of [5, 6, 7]) await api.ok("PATCH", `/users/${users[index] ?? 0}`, { enable: false });
    await api.ok("PATCH", `/users/${users[9] ?? 0}`, { expiry: 1 });
    this.records = { users, nodes, silent };
    await until(async () => (await nodesWith(api, "connected")) === LINKED);
  }

  async dispose(): Promise<void> {
    await this.browser.close();
    await this.#fleet?.stop();
    await this.panel.dispose();
  }
}

/** Opens the stage. Call `dispose` in `afterAll`. */
export async function openStage(options: StageOptions = {}): Promise<BrowserStage> {
  const { pending, fleet = true, users = 40, active = 50 } = options;
  const variables = { SIGNALBOX_WEB: await builtInterface() };
  const [panel, browser] = await Promise.all([
    startPanel({ engine: "embedded", variables, ...(pending && { pending }) }),
    launchBrowser(),
  ]);
  const stage = new BrowserStage(panel, browser);
  try {
    if (fleet && !pending) await stage.populate(users, active);
  } catch (error) {
    await stage.dispose();
    throw error;
  }
  return stage;
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((done) => setTimeout(done, 100));
}
