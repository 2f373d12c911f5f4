// A panel is killed in the middle of a job of each kind (an import, a bulk operation, one that is taken back, users
// from a pattern, a restoration): the next one goes on where the last commit left off. No account is made or changed
// twice, none is left out, and what the job says of them is exact.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { setTimeout as pause } from "node:timers/promises";
import { dialects } from "../database.ts";
import { makeUsers } from "./fleet.ts";
import { startPanel, type E2ePanel } from "./panel.ts";
import { withSlowSteps } from "./slow-steps.ts";

/** More than one page of a list, and two dozen steps of a job. */
const ACCOUNTS = 1200;
const VOLUME = 1000;

interface Job {
  readonly id: number;
  readonly state: string;
  readonly done: number;
  readonly affected: number;
  readonly blocked: number;
  readonly failed: number;
  readonly problems: readonly { readonly id: number }[];
}
interface Account {
  readonly id: number;
  readonly name: string;
  readonly volume: number;
}

const byId = (one: Account, other: Account) => one.id - other.id;

describe.each(dialects)("a job whose panel is killed on %s", (dialect) => {
  let panel: E2ePanel;
  beforeAll(async () => {
    panel = await startPanel({ dialect, engine: "none" });
  }, 120_000);
  afterAll(() => panel.dispose());

  const newest = async (): Promise<Job | undefined> =>
    ((await panel.api.ok("GET", "/jobs?limit=1")) as { items: readonly Job[] }).items[0];
  /**
   * The job that `asked` begins, once some of its records are done and others are not; the panel is then killed, and
   * started again.
   */
  const killedWithin = async (known: number, asked: () => Promise<unknown>): Promise<number> => {
    const job = await withSlowSteps(panel.databaseUrl, async () => {
      await asked();
      for (;;) {
        const begun = await newest();
        if (begun && begun.id !== known && begun.done > 0) {
          await panel.kill();
          return begun;
        }
        await pause(20);
      }
    });
    await panel.start();
    // It was not over before.
    expect(job).toMatchObject({ state: "running" });
    expect(job.done).toBeLessThan(ACCOUNTS);
    return job.id;
  };
  const accepted = async (path: string, body?: unknown): Promise<void> =>
    expect((await panel.api.request("POST", `/api/v1${path}`, body)).status).toBe(202);
  const ended = (id: number): Promise<Job> =>
    expect
      .poll(async () => (await panel.api.ok("GET", `/jobs/${id}`)) as Job, { interval: 100, timeout: 100_000 })
      .toMatchObject({ state: "succeeded" })
      .then(async () => (await panel.api.ok("GET", `/jobs/${id}`)) as Job);
  const accounts = async (): Promise<Account[]> => {
    const found: Account[] = [];
    for (let offset = 0; ; offset += 1000) {
      const page = (await panel.api.ok("GET", `/users?limit=1000&offset=${offset}`)) as { items: readonly Account[] };
      found.push(...page.items);
      if (page.items.length < 1000) return found;
    }
  };

  // rules jobs.import.2, jobs.step.1, jobs.bulk.7
  it("goes on where it stood", { timeout: 240_000 }, async () => {
    const names = Array.from({ length: ACCOUNTS }, (_, index) => `imported-${index}`);
    const file = names.map((name) => `${JSON.stringify({ name, volume: VOLUME })}\n`).join("");
    const importing = await killedWithin(0, async () =>
      expect((await panel.api.send("POST", "/users/import?async=true", file)).status).toBe(202),
    );
    expect(await ended(importing)).toMatchObject({ done: ACCOUNTS, affected: ACCOUNTS, failed: 0 });
    const made = await accounts();
    expect(made.map(({ name }) => name).toSorted()).toEqual(names.toSorted());

    // The same request under the same key, while the first one never got its answer.
    const ask = () =>
      panel.api.request(
        "POST",
        "/api/v1/users/bulk/add-volume?all=true",
        { bytes: 7 },
        { "idempotency-key": "add-once" },
      );
    let unanswered: Promise<unknown> | undefined;
    await killedWithin(importing, async () => {
      unanswered = ask().catch((error: unknown) => error);
    });
    await unanswered;
    // The key is held until the panel's end is known.
    await expect
      .poll(ask, { interval: 500, timeout: 100_000 })
      .toMatchObject({ status: 200, body: { matched: ACCOUNTS, affected: ACCOUNTS, failed: 0 } });
    expect(new Set((await accounts()).map(({ volume }) => volume))).toEqual(new Set([VOLUME + 7]));
  });

  // rules jobs.step.1, users.deleted.9
  it("brings deleted accounts back where it stood, each once", { timeout: 240_000 }, async () => {
    const before = await accounts();
    expect(before).toHaveLength(ACCOUNTS);
    await panel.api.ok("POST", "/users/bulk/delete?all=true", {});
    expect(await accounts()).toEqual([]);
    const known = (await newest())?.id ?? 0;
    const ids = before.map(({ id }) => id);
    const restoring = await killedWithin(known, () => accepted("/users/deleted/restore?async=true", { ids }));
    expect(await ended(restoring)).toMatchObject({ done: ACCOUNTS, affected: ACCOUNTS, failed: 0 });
    const plain = ({ id, name, volume }: Account) => ({ id, name, volume });
    const back = await accounts();
    expect(back.map(plain).toSorted(byId)).toEqual(before.map(plain).toSorted(byId));
    expect(await panel.api.ok("GET", "/users/deleted")).toMatchObject({ items: [] });
  });

  // rules jobs.step.1, jobs.bulk.5, jobs.undo.2
  it("counts those that it could not change once, also when it is taken back", { timeout: 240_000 }, async () => {
    const made = await makeUsers(panel.api, ACCOUNTS, (at) => ({ name: `counted-${at}`, volume: VOLUME }));
    const all = made.toSorted((a, b) => a - b);
    const every = (nth: number, offset: number) => all.filter((_, at) => at % nth === offset);
    const volumes = async () => {
      const own = (await accounts()).filter(({ name }) => name.startsWith("counted-"));
      return new Map(own.map(({ id, volume }) => [id, volume]));
    };
    const gone = every(150, 75);
    await panel.api.ok("POST", "/users/bulk/delete", { ids: gone });
    const known = (await newest())?.id ?? 0;
    const bulk = { ids: all, bytes: 5 };
    const adding = await killedWithin(known, () => accepted("/users/bulk/add-volume?async=true", bulk));
    const added = await ended(adding);
    expect(added).toMatchObject({
      done: all.length,
      affected: all.length - gone.length,
      blocked: 0,
      failed: gone.length,
    });
    expect(added.problems.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(gone);
    const left = all.filter((id) => !gone.includes(id));
    expect(await volumes()).toEqual(new Map(left.map((id) => [id, VOLUME + 5])));

    const touched = every(200, 30);
    for (const id of touched) await panel.api.ok("PATCH", `/users/${id}`, { remark: "by hand" });
    const back = await ended(await killedWithin(adding, () => accepted(`/jobs/${adding}/undo`)));
    expect(back).toMatchObject({
      done: left.length,
      affected: left.length - touched.length,
      blocked: touched.length,
      failed: 0,
    });
    expect(back.problems.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(touched);
    expect(await volumes()).toEqual(new Map(left.map((id) => [id, touched.includes(id) ? VOLUME + 5 : VOLUME])));
  });

  // rules jobs.step.1, jobs.generate.1
  it("makes each account of a pattern once", { timeout: 240_000 }, async () => {
    const taken = [7, 300, 650, 993];
    for (const place of taken) await panel.api.ok("POST", "/users", { name: `made-${place}` });
    const known = (await newest())?.id ?? 0;
    const asked = { pattern: "made-{n}", count: 1000 };
    const making = await killedWithin(known, () => accepted("/users/generate?async=true", asked));
    expect(await ended(making)).toMatchObject({
      done: asked.count,
      affected: asked.count - taken.length,
      blocked: taken.length,
      failed: 0,
    });
    const names = (await accounts()).map(({ name }) => name).filter((name) => name.startsWith("made-"));
    expect(names.toSorted()).toEqual(Array.from({ length: asked.count }, (_, at) => `made-${at + 1}`).toSorted());
    const made = (await panel.api.ok("GET", `/jobs/${making}/users`)) as readonly unknown[];
    expect(made).toHaveLength(asked.count - taken.length);
  });
});
