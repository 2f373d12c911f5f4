// What a whole panel tells a feature that watches, the way metrics will: requests, jobs, deliveries and commits of real
// calls, counted exactly, and its own log of work that goes on although it was told to end.
import pino from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { AnyFeature, Core } from "../../src/feature/index.ts";
import type { SignalName, SignalTable } from "../../src/lib/signal-table.ts";
import type { Signals } from "../../src/lib/signals.ts";
import { compose } from "../../src/panel/compose.ts";
import { entities } from "../../src/panel/entities.ts";
import { FEATURES } from "../../src/panel/features.ts";
import { watchedSignals } from "../../src/panel/watched-signals.ts";
import { createTestDatabase, dialects } from "../database.ts";
import { Receiver } from "../events/receiver.ts";
import { jobEnded, makeUsers } from "../jobs/users.ts";
import { WholePanel } from "../whole-panel.ts";

let signals: Signals;
const watcher = {
  name: "watcher",
  open: (core: Core) => {
    signals = core.signals;
    return {};
  },
} as const satisfies AnyFeature;
const WATCHED = [...FEATURES, watcher] as const;
const PANEL = compose<typeof WATCHED>(WATCHED);

describe.each(dialects)("a watched panel on %s", (dialect) => {
  let panel: WholePanel;
  beforeAll(async () => {
    const database = await createTestDatabase(dialect, entities);
    panel = await WholePanel.open(dialect, undefined, undefined, { panel: PANEL, database });
  });
  afterAll(() => panel.dispose());

  const heard = <N extends SignalName>(name: N) => {
    const list: SignalTable[N][] = [];
    signals.listen(name, (fields) => list.push(fields));
    return list;
  };

  test("requests by the pattern of their route, with method, status and time", async () => {
    const requests = heard("http.request");
    const made = await panel.call("POST", "/api/v1/users", { name: `watched-${dialect}` });
    await panel.call("GET", `/api/users/${made.body.id}`);
    await panel.call("GET", "/api/v1/users/987654321");
    await panel.call("GET", "/api/v1/nothing-is-here?token=secret-text");
    await expect.poll(() => requests.length).toBe(4);
    expect(requests).toEqual([
      { method: "POST", route: "/users", status: 200, ms: expect.any(Number) },
      { method: "GET", route: "/users/{id}", status: 200, ms: expect.any(Number) },
      { method: "GET", route: "/users/{id}", status: 404, ms: expect.any(Number) },
      { method: "(any)", route: "(none)", status: 404, ms: expect.any(Number) },
    ]);
  });

  test("a request's unit and the steps of the actor that it makes", async () => {
    const [units, steps] = [heard("commit.unit"), heard("runtime.step")];
    await panel.call("POST", "/api/v1/users", { name: `unit-${dialect}` });
    expect(units.filter(({ name }) => name === "POST /users")).toMatchObject([{ ended: "done" }]);
    expect(steps.filter(({ kind, event }) => kind === "user" && event === "created")).toMatchObject([{ from: null }]);
  });

  test("texts that wait for the search's index are taken over without being asked for", async () => {
    const statements = heard("commit.statements");
    await panel.call("POST", "/api/v1/users", { name: `indexed-${dialect}` });
    await expect.poll(() => statements.map(({ name }) => name), { timeout: 20_000 }).toContain("texts.index");
  });

  test("a page of a subscription is served by a plugin, and what nobody serves by no route", async () => {
    const requests = heard("http.request");
    const { body } = await panel.call("POST", "/api/v1/users", { name: `fetched-${dialect}` });
    const { pathname } = new URL(body.subUrl);
    await panel.call("GET", pathname);
    await panel.call("GET", `${pathname}/html`);
    await expect.poll(() => requests.length).toBe(3);
    expect(requests.slice(1)).toMatchObject([
      { method: "GET", route: "(plugin)", status: 200 },
      { method: "GET", route: "(plugin)", status: 200 },
    ]);
  });

  test("a job's turns and steps", async () => {
    const ids = await makeUsers(panel, 3);
    const [turns, steps] = [heard("job.turn"), heard("job.step")];
    const { body } = await panel.call("POST", "/api/v1/users/bulk/disable", { ids }, { prefer: "respond-async" });
    await jobEnded(panel, body.job);
    // The last turn finds that nothing is left.
    expect(steps).toMatchObject([{ work: "users.bulk", records: 3, ended: "done" }]);
    expect(turns).toMatchObject([{ work: "users.bulk" }, { work: "users.bulk" }]);
  });

  test("deliveries to a receiver, and how many wait", async () => {
    const receiver = await new Receiver().listen();
    try {
      await panel.call("PUT", "/api/v1/settings/webhook_allow_private", { value: "true" });
      receiver.answer = 500;
      const hook = await panel.call("POST", "/api/v1/webhooks", {
        name: "w",
        url: receiver.url,
        events: ["user.created"],
      });
      expect(hook.status).toBe(200);
      const [attempts, depths] = [heard("webhook.attempt"), heard("webhook.depth")];
      await panel.call("POST", "/api/v1/users", { name: `told-${dialect}` });
      await expect.poll(() => attempts.length, { timeout: 20_000 }).toBe(1);
      expect(attempts).toEqual([{ webhookId: hook.body.id, ended: "failed", status: 500, ms: expect.any(Number) }]);
      await expect.poll(() => depths.at(-1)).toEqual({ waiting: 0, running: 0 });
      expect(depths).toContainEqual({ waiting: 0, running: 1 });
    } finally {
      await receiver.close();
    }
  });
});

test("the log says of an effect that goes on although it was told to end, and of a listener that throws", () => {
  const lines: Record<string, unknown>[] = [];
  const log = pino({ level: "info" }, { write: (line: string) => void lines.push(JSON.parse(line) as never) });
  const watched = watchedSignals(log);
  const about = { kind: "node", actorId: 7, src: "errand", attempt: 2, ageMs: 31_400 };
  watched.of("effect.overruns").tell(about);
  watched.of("effect.overrun").tell({ ...about, ageMs: 40_000, ended: true });
  watched.of("effect.overrun").tell({ ...about, ageMs: 90_000, ended: false });
  watched.listen("runtime.fault", () => {
    throw new Error("a defect");
  });
  for (let turn = 0; turn < 3; turn++) watched.of("runtime.fault").tell({ kind: "node", quarantined: false });
  expect(lines).toMatchObject([
    { level: 40, kind: "node", id: 7, effect: "errand", attempt: 2, seconds: 31 },
    { level: 40, kind: "node", id: 7, effect: "errand", seconds: 90 },
    { level: 50, signal: "runtime.fault", err: { message: "a defect" } },
  ]);
});
