// The clock is set a day forward and a day back while everything runs: links stay, what waits does not wait a day
// longer, nobody is refused, nothing is lost.
import { mkdtempSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { quietPorts } from "../quiet-ports.ts";
import type { E2ePanel } from "../e2e/panel.ts";
import { startFleet, type SimulatedFleet } from "../e2e/fleet.ts";
import { expectWhole } from "./expectations.ts";
import { canSetClocks, clockToSet, type SetClock } from "./faketime.ts";
import { Load } from "./load.ts";
import { messages, startFaultyPanel } from "./panel.ts";
import { canHarmPostgres, Cluster, createDatabase } from "./postgresql.ts";
import { Traffic } from "./traffic.ts";

const DAY = 86_400;
/** What waits is done by then: the longest wait that the test sets up, and a good deal more. */
const SOON_MS = 60_000;

/** A receiver of webhooks that refuses until it is told to accept. */
class Receiver {
  accepts = false;
  refused = "";
  accepted = "";
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => {
      let body = "";
      request.setEncoding("utf8").on("data", (text: string) => (body += text));
      request.on("end", () => {
        if (this.accepts) this.accepted += body;
        else this.refused += body;
        response.statusCode = this.accepts ? 200 : 500;
        response.end();
      });
    }).listen(0, "127.0.0.1");
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

describe.skipIf(!canSetClocks)("a clock that is set", () => {
  let clock: SetClock | undefined;
  let faulty: E2ePanel | undefined;
  let cluster: Cluster | undefined;
  let receiver: Receiver | undefined;
  const fleets: (Traffic | SimulatedFleet)[] = [];
  afterEach(async () => {
    for (const fleet of fleets.splice(0)) await fleet.stop();
    await faulty?.dispose();
    await cluster?.dispose();
    cluster = undefined;
    receiver?.close();
    clock?.remove();
  });

  /** Sets the clock in the middle of everything; what waits at that moment must not wait for long. */
  async function throughStep(panel: E2ePanel, seconds: number): Promise<void> {
    const [port = 0] = await quietPorts(1);
    const { api } = panel;
    receiver = new Receiver();
    await api.ok("PUT", "/settings/webhook_allow_private", { value: "true" });
    await api.ok("POST", "/webhooks", { name: "books", url: receiver.url, events: ["user.*"] });
    const templateId = await api.make("templates", { name: `late-${seconds}`, inboundIds: [] });
    const late = await api.make("nodes", { name: `late-${seconds}`, address: "127.0.0.1", port, templateId });
    const user = await api.user(await api.make("users", { name: `subscriber-${seconds}` }));
    // Together more than a minute's limit, where the panel's own clock moves by a day in between.
    const fetches = cluster ? 20 : 80;
    const subscription = async () => (await api.request("GET", `/sub/${user.subId}`)).status;
    for (let turn = 0; turn < fetches; turn++) expect(await subscription()).not.toBe(429);
    // Now a delivery waits for its second attempt and a node for its next dial.
    await expect.poll(() => receiver?.refused).toContain(`subscriber-${seconds}`);
    await expect.poll(async () => (await api.node(late)).status).toBe("error");

    const load = new Load(api, { label: `load${seconds}` });
    const from = panel.output.length;
    // Before the clock is set: what is due at once by a later clock would be refused again, and wait for longer.
    receiver.accepts = true;
    clock?.set(seconds);
    const set = Date.now();
    await expect
      .poll(() => messages(panel, from).filter((message) => /clock was set (forward|back)/.test(message)).length)
      .toBe(cluster ? 0 : 1);
    fleets.push(
      await startFleet(api, { directory: mkdtempSync(join(panel.directory, "late-")), port, active: 0, rate: 1 }),
    );
    for (let turn = 0; turn < fetches; turn++) expect(await subscription()).not.toBe(429);
    await expect.poll(async () => (await api.node(late)).status, { timeout: SOON_MS, interval: 200 }).toBe("connected");
    await expect.poll(() => receiver?.accepted, { timeout: SOON_MS, interval: 200 }).toContain(`subscriber-${seconds}`);
    console.info(`set by ${seconds} s: node dialled again and delivery repeated within ${Date.now() - set} ms`);
    await load.stop();
    expect(Load.statuses(load.told)).toEqual({ 200: expect.any(Number) });
    expect(await load.differences(true)).toEqual([]);
    expect((await api.request("GET", `/api/v1/actors/node/${late}/journal`)).status).toBe(200);
    await api.ok("DELETE", `/nodes/${late}`);
  }

  it.each([
    { dialect: "sqlite", seconds: DAY },
    { dialect: "sqlite", seconds: -DAY },
    { dialect: "postgresql", seconds: DAY },
    { dialect: "postgresql", seconds: -DAY },
  ])("on $dialect, by $seconds seconds", async ({ dialect, seconds }) => {
    clock = clockToSet();
    let databaseUrl: string | undefined;
    if (dialect === "postgresql") {
      if (!canHarmPostgres) return;
      cluster = await Cluster.start();
      databaseUrl = await createDatabase(cluster, "panel");
    }
    const panel = await startFaultyPanel({ variables: clock.variables, ...(databaseUrl && { databaseUrl }) });
    faulty = panel;
    const traffic = await Traffic.start(panel);
    fleets.push(traffic);
    const before = traffic.dials();
    await throughStep(panel, seconds);
    await traffic.connected();
    expect(traffic.dials(), "links were not lost").toBe(before);
    await traffic.settle();
    await expectWhole(panel.databaseUrl);
    expect((await panel.stop()).code).toBe(0);
  });
});
