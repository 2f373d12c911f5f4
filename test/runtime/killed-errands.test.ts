// Errands in real processes: what `kill -9` leaves of them, and which process of two may run them.
import { spawn, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { setTimeout as passed } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sql } from "../../src/db/index.ts";
import { dialects, openTestDatabase, type TestDatabase } from "../database.ts";
import { Said, type Order, type Settings } from "./errand-child.ts";
import { eventually } from "./eventually.ts";
import { entities, panelOn, type Panel } from "./fixture.ts";

const PROGRAM = fileURLToPath(new URL("errand-child.ts", import.meta.url));
const PASSWORD = "correct horse battery";

class Child {
  readonly said: Said[] = [];
  complaints = "";
  readonly #process: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #closed: Promise<unknown>;

  constructor(settings: Settings) {
    this.#process = spawn(process.execPath, [PROGRAM, JSON.stringify(settings)], { stdio: ["pipe", "pipe", "pipe"] });
    this.#closed = once(this.#process, "close");
    this.#process.stdin.on("error", () => {});
    this.#process.stderr.on("data", (chunk: Buffer) => (this.complaints += chunk.toString()));
    const lines = createInterface({ input: this.#process.stdout });
    lines.on("line", (line) => this.said.push(Said.parse(JSON.parse(line))));
  }

  /** Its boot id, once it takes orders. */
  async boot(): Promise<string> {
    await eventually(() => this.#all("ready").length > 0 || this.#process.exitCode !== null).toBe(true);
    const [ready] = this.#all("ready");
    if (ready?.what !== "ready") throw new Error(this.complaints);
    return ready.boot;
  }

  async tell(order: Order): Promise<void> {
    const before = this.#all("done").length;
    this.#process.stdin.write(`${JSON.stringify(order)}\n`);
    await eventually(() => this.#all("done").length).toBeGreaterThan(before);
  }

  get begun() {
    return this.said.flatMap((each) => (each.what === "begun" ? [{ id: each.id, attempt: each.attempt }] : []));
  }

  get keys(): string[] {
    return this.said.flatMap((each) => (each.what === "begun" ? [each.key] : []));
  }

  async kill(): Promise<void> {
    this.#process.kill("SIGKILL");
    await this.#closed;
  }

  async stop(): Promise<void> {
    this.#process.stdin.end();
    await this.#closed;
  }

  #all(what: Said["what"]): Said[] {
    return this.said.filter((each) => each.what === what);
  }
}

describe.each(dialects)("errands of killed processes on %s", { timeout: 240_000 }, (dialect) => {
  let db: TestDatabase;
  let panel: Panel;
  let children: Child[];

  beforeEach(async () => {
    db = await openTestDatabase(dialect, entities);
    panel = panelOn(db);
    children = [];
  });
  afterEach(async () => {
    await Promise.all(children.map((child) => child.stop()));
    await db.dispose();
  });

  const start = async ({ deaf = false, secrets = false } = {}) => {
    const child = new Child({ url: db.url, shared: dialect === "postgresql", deaf, secrets });
    children.push(child);
    return { child, boot: await child.boot() };
  };
  const lines = async (id: number) => (await panel.lines(id)).map(({ code, args, text }) => [code, ...args, text]);
  const everything = async () => {
    const tables = entities.map(({ name }) => name);
    return JSON.stringify(
      await Promise.all(tables.map((name) => db.reads.query(sql`select * from ${sql.table(name)}`))),
    );
  };

  test("kill -9 amid an errand: the next process runs it again under the same key, with the deadline that it had", async () => {
    const id = await panel.create();
    const { child: first } = await start();
    await first.tell({ do: "ask", id, type: "go" });
    await eventually(() => lines(id)).toEqual([
      ["attempt_began", 1, ""],
      ["output", `attempt 1 of ${id} with nothing`],
    ]);
    const [asked] = await panel.effects(id);
    await first.kill();
    const { child: next } = await start();
    await eventually(() => next.begun).toEqual([{ id, attempt: 2 }]);
    expect(next.keys).toEqual(first.keys);
    expect(await panel.effects(id)).toMatchObject([{ deadlineAt: asked?.deadlineAt, state: "running" }]);
    await next.tell({ do: "finish" });
    await eventually(() => panel.state(id)).toBe("over");
    expect((await panel.lines(id)).map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
    expect((await lines(id)).slice(2)).toEqual([
      ["attempt_began", 2, ""],
      ["output", `attempt 2 of ${id} with nothing`],
    ]);
    expect(await panel.effects(id)).toEqual([]);
  });

  // rule inspector.log.6
  test("kill -9 of the process that has the secrets: no other runs the errand, its chart hears why, and no row has them", async () => {
    const id = await panel.create();
    const { child: first } = await start({ secrets: true });
    await first.tell({ do: "goWith", id, password: PASSWORD });
    await eventually(() => lines(id)).toEqual([
      ["attempt_began", 1, ""],
      ["output", `attempt 1 of ${id} with [redacted]`],
    ]);
    await first.kill();
    const { child: next } = await start({ secrets: true });
    await eventually(() => panel.state(id)).toBe("failed");
    expect((await lines(id)).at(-1)).toEqual(["secret_lost", ""]);
    expect(next.begun).toEqual([]);
    expect(await everything()).not.toContain(PASSWORD);
    expect(first.complaints + next.complaints).not.toContain(PASSWORD);
    await eventually(() => panel.effects(id)).toEqual([]);
    // The next request brings them again.
    await next.tell({ do: "goWith", id, password: PASSWORD });
    await eventually(() => next.begun.length).toBe(1);
    await next.tell({ do: "finish" });
    await eventually(() => panel.state(id)).toBe("over");
  });

  if (dialect !== "postgresql") return;

  test("two processes: nobody begins an errand again beside a run that ignores its abort, until that ends", async () => {
    const id = await panel.create();
    const { child: one, boot } = await start({ deaf: true });
    const { child: other } = await start({ deaf: true });
    await one.tell({ do: "ask", id, type: "go" });
    await eventually(() => one.begun.length).toBe(1);
    await other.tell({ do: "ask", id, type: "stop" });
    await other.tell({ do: "ask", id, type: "go" });
    await passed(3000);
    expect(await panel.effects(id)).toMatchObject([{ state: "pending", owner: boot }]);
    expect([one.begun.length, other.begun.length]).toEqual([1, 0]);
    await one.tell({ do: "finish" });
    await eventually(() => one.begun.length + other.begun.length).toBe(2);
    const after = one.said.findIndex(({ what }) => what === "ended");
    expect(after).toBeGreaterThan(0);
    if (one.begun.length === 2) expect(one.said.findLastIndex(({ what }) => what === "begun")).toBeGreaterThan(after);
    await one.tell({ do: "finish" });
    await other.tell({ do: "finish" });
    await eventually(() => panel.state(id)).toBe("over");
    await eventually(() => panel.effects(id)).toEqual([]);
  });

  test("two processes: what waits for a run that ignores its abort begins once that is killed", async () => {
    const id = await panel.create();
    const { child: one, boot } = await start({ deaf: true });
    const { child: other } = await start({ deaf: true });
    await one.tell({ do: "ask", id, type: "go" });
    await eventually(() => one.begun.length).toBe(1);
    await other.tell({ do: "ask", id, type: "stop" });
    await other.tell({ do: "ask", id, type: "go" });
    expect(await panel.effects(id)).toMatchObject([{ state: "pending", owner: boot }]);
    await one.kill();
    await eventually(() => other.begun).toEqual([{ id, attempt: 1 }]);
    await other.tell({ do: "finish" });
    await eventually(() => panel.state(id)).toBe("over");
    await eventually(() => panel.effects(id)).toEqual([]);
  });

  test("two processes: an errand with secrets runs where they are, whoever holds the actor's shard", async () => {
    const ids = await Promise.all(Array.from({ length: 8 }, () => panel.create()));
    const { child: one } = await start({ secrets: true });
    const { child: other } = await start({ secrets: true });
    for (const id of ids) await one.tell({ do: "goWith", id, password: PASSWORD });
    await eventually(async () => {
      await one.tell({ do: "finish" });
      return Promise.all(ids.map((id) => panel.state(id)));
    }).toEqual(ids.map(() => "over"));
    expect([one.begun.length, other.begun.length]).toEqual([ids.length, 0]);
    expect(await everything()).not.toContain(PASSWORD);
  });
});
