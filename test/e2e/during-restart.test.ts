// What callers meet while a panel starts again in its process, after setup and when it is asked to: an answer each
// time, 503 with `Retry-After` as long as it takes, and never one that says the panel is ready while the restart is
// still to come.
import { Agent, request, type IncomingMessage } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { logIn, OWNER } from "./set-up.ts";
import { startPanel, type E2ePanel } from "./panel.ts";

interface Answer {
  readonly what: string;
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly body: string;
  readonly began: number;
  readonly ended: number;
}

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  readonly upgrade?: true;
  /** While setup is pending, and once the panel serves. */
  readonly pending: number;
  readonly ready: number;
}

const LARGE = JSON.stringify({ name: "x".repeat(200_000) });
const ASKED: readonly Asked[] = [
  { method: "GET", path: "/healthz", pending: 200, ready: 200 },
  { method: "GET", path: "/api/v1/users", pending: 404, ready: 401 },
  { method: "POST", path: "/api/v1/users", body: LARGE, pending: 404, ready: 401 },
  { method: "GET", path: "/api/nothing", pending: 404, ready: 404 },
  { method: "GET", path: "/nothing", pending: 404, ready: 404 },
  { method: "GET", path: "/api/v1/events/stream", upgrade: true, pending: 404, ready: 401 },
];

/** Asks without a pause, each question over connections that are kept and over new ones. */
class Hammer {
  readonly told: Answer[] = [];
  readonly failed: string[] = [];
  readonly #port: number;
  readonly #kept = new Agent({ keepAlive: true, maxSockets: 4 });
  readonly #workers: Promise<void>[];
  #ended = false;

  constructor(port: number) {
    this.#port = port;
    this.#workers = ASKED.flatMap((asked) => [
      this.#work(asked, this.#kept),
      this.#work(asked, new Agent({ keepAlive: false })),
    ]);
  }

  /** Answers to questions that were put after the moment. */
  since(moment: number): Answer[] {
    return this.told.filter(({ began }) => began > moment);
  }

  async end(): Promise<void> {
    this.#ended = true;
    await Promise.all(this.#workers);
    this.#kept.destroy();
  }

  async #work(asked: Asked, agent: Agent): Promise<void> {
    while (!this.#ended) {
      await this.#ask(asked, agent);
      await pause(2);
    }
  }

  #ask({ method, path, body, upgrade }: Asked, agent: Agent): Promise<void> {
    const what = `${method} ${path}`;
    const began = performance.now();
    return new Promise((resolve) => {
      const sent = request({
        host: "127.0.0.1",
        port: this.#port,
        method,
        path,
        agent,
        headers: headersOf(body, upgrade),
      });
      const take = (incoming: IncomingMessage) => {
        let text = "";
        incoming.setEncoding("utf8").on("data", (part: string) => (text += part));
        incoming.on("error", (error) => this.#fail(what, error, resolve));
        incoming.on("end", () => {
          const { statusCode: status = 0, headers } = incoming;
          this.told.push({
            what,
            status,
            retryAfter: headers["retry-after"],
            body: text,
            began,
            ended: performance.now(),
          });
          resolve();
        });
      };
      sent.on("response", take).on("error", (error) => this.#fail(what, error, resolve));
      sent.end(body);
    });
  }

  #fail(what: string, error: Error, done: () => void): void {
    this.failed.push(`${Math.round(performance.now())} ${what}: ${error.message}`);
    done();
  }
}

function headersOf(body: string | undefined, upgrade: true | undefined): Record<string, string> {
  if (upgrade)
    return {
      connection: "Upgrade",
      upgrade: "websocket",
      "sec-websocket-version": "13",
      "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
    };
  return body === undefined
    ? {}
    : { "content-type": "application/json", "content-length": String(Buffer.byteLength(body)) };
}

describe("a panel that begins anew in its process", () => {
  let panel: E2ePanel;
  let hammer: Hammer;
  beforeAll(async () => {
    panel = await startPanel({ engine: "none", pending: true });
    hammer = new Hammer(Number(new URL(panel.url).port));
  });
  afterAll(async () => {
    await hammer?.end();
    await panel?.dispose();
  });

  /** Every question was answered so often since the moment, as it is when the panel serves. */
  const served = (moment: number) =>
    expect
      .poll(() =>
        ASKED.every(({ method, path, ready }) => countOf(hammer.since(moment), `${method} ${path}`, ready) > 5),
      )
      .toBe(true);

  /** `asked`: when the restart was asked for. */
  function checkRestart(asked: number): void {
    expect(hammer.failed).toEqual([]);
    const since = hammer.since(asked);
    const refused = since.filter(({ status }) => status === 503);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.filter(({ retryAfter }) => retryAfter !== "1")).toEqual([]);
    for (const { what, body } of refused)
      expect(JSON.parse(body)).toEqual(
        what === "GET /healthz" ? { status: "restarting" } : { error: "the panel is restarting", code: "unavailable" },
      );
    // From the first refusal to the last one nobody was served: what was answered otherwise came before it all, or from
    // the panel after the restart.
    const first = Math.min(...refused.map(({ ended }) => ended));
    const last = Math.max(...refused.map(({ began }) => began));
    expect(since.filter(({ status, began, ended }) => status !== 503 && began > first && ended < last)).toEqual([]);
    // Two requests may be under way together: the later one may reach the panel first.
    const over = Math.max(...refused.map(({ ended }) => ended));
    for (const { method, path, ready } of ASKED) {
      const after = since.filter(({ what, began }) => what === `${method} ${path}` && began > over);
      expect(after.filter(({ status }) => status !== ready)).toEqual([]);
    }
  }

  /** Before setup nobody is told that the panel serves; after the first who is, nobody that it restarts. */
  function checkSetup(asked: number): void {
    const [users] = ASKED.filter(({ path, method }) => path === "/api/v1/users" && method === "GET");
    const statuses = hammer.since(asked).filter(({ what }) => what === `${users?.method} ${users?.path}`);
    const first = Math.min(...statuses.filter(({ status }) => status === users?.ready).map(({ ended }) => ended));
    expect(hammer.since(first).filter(({ status }) => status === 503)).toEqual([]);
  }

  // rule process.restart.2
  it("answers everybody from before setup until after the restart that follows", async () => {
    await expect
      .poll(() => ASKED.every(({ method, path }) => countOf(hammer.told, `${method} ${path}`) > 5))
      .toBe(true);
    for (const { method, path, pending } of ASKED)
      expect(countOf(hammer.told, `${method} ${path}`, pending)).toBeGreaterThan(0);
    const body = JSON.stringify({ ...OWNER, settings: { web_tls_mode: "none" } });
    const asked = performance.now();
    const done = await fetch(`${panel.url}/api/v1/setup?t=${panel.environment["SIGNALBOX_SETUP_TOKEN"]}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    expect(done.status).toBe(200);
    await served(performance.now());
    checkRestart(asked);
    checkSetup(asked);
  });

  // rule process.restart.2
  it("answers everybody while it restarts because it was asked to, and idle connections outlast it", async () => {
    const session = await logIn(panel.url);
    const idle = new Agent({ keepAlive: true, maxSockets: 1 });
    const port = Number(new URL(panel.url).port);
    const ask = () =>
      new Promise<{ status: number | undefined; socket: number | undefined }>((resolve, reject) => {
        const sent = request({ host: "127.0.0.1", port, path: "/healthz", agent: idle }, (incoming) => {
          incoming.resume().on("end", () => resolve({ status: incoming.statusCode, socket }));
        });
        let socket: number | undefined;
        sent.on("socket", ({ localPort }) => (socket = localPort)).on("error", reject);
        sent.end();
      });
    await ask();
    const before = await ask();
    const asked = performance.now();
    await session.ok("POST", "/restart");
    await served(performance.now());
    checkRestart(asked);
    expect(await ask()).toEqual({ status: 200, socket: before.socket });
    idle.destroy();
  });
});

function countOf(told: readonly Answer[], what: string, status?: number): number {
  return told.filter((each) => each.what === what && (status === undefined || each.status === status)).length;
}
