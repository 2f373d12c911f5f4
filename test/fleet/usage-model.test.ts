// Random changes of who is served where, and random batches, against a small model that remembers every state there
// was: what a node was given since it told last counts, nothing else does.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { UsageRow } from "../../src/protocol/usage-rows.ts";
import { dialects } from "../database.ts";
import { Chance } from "../simulation/chance.ts";
import { MINUTE, UsageSide } from "./usage-side.ts";

const SEEDS = Number(process.env["SEEDS"] ?? 3);
const STEPS = 120;

/** Inbounds of every template. */
const CARRIED = [1, 2];

/** Templates of an account and its own inbounds; null: all. */
interface Place {
  readonly on: readonly number[] | null;
  readonly inbounds: readonly number[] | null;
}

/** The templates of users and nodes, from a moment on. */
interface State {
  readonly since: number;
  readonly users: ReadonlyMap<number, Place>;
  readonly nodes: ReadonlyMap<number, number>;
}

class Model {
  readonly #states: State[] = [{ since: 0, users: new Map(), nodes: new Map() }];
  readonly toldUntil = new Map<number, number>();
  readonly used = new Map<number, number>();

  get now(): State {
    const last = this.#states.at(-1);
    if (!last) throw new Error("a model without a state");
    return last;
  }

  user(at: number, id: number, place: Place): void {
    this.#states.push({ ...this.now, since: at, users: new Map(this.now.users).set(id, place) });
  }

  node(at: number, id: number, template: number): void {
    if (!this.toldUntil.has(id)) this.toldUntil.set(id, at);
    this.#states.push({ ...this.now, since: at, nodes: new Map(this.now.nodes).set(id, template) });
  }

  /** Whether the node was given the account on this inbound at any time since it told last. */
  given(node: number, user: number, inbound: number): boolean {
    const since = this.toldUntil.get(node) ?? 0;
    return this.#states.some(({ users, nodes }, index) => {
      const until = this.#states[index + 1]?.since ?? Infinity;
      const template = nodes.get(node) ?? 0;
      const place = users.get(user);
      if (until < since || template === 0 || !place) return false;
      const { on, inbounds } = place;
      return (on === null || on.includes(template)) && (inbounds === null || inbounds.includes(inbound));
    });
  }

  report(node: number, rows: readonly UsageRow[], until: number): void {
    for (const [user, inbound, up, down] of rows)
      if (this.given(node, user, inbound)) this.used.set(user, (this.used.get(user) ?? 0) + up + down);
    this.toldUntil.set(node, Math.max(this.toldUntil.get(node) ?? 0, until));
  }
}

describe.each(dialects)("usage by chance on %s", (dialect) => {
  let side: UsageSide;
  const templates: number[] = [];
  beforeAll(async () => {
    side = await UsageSide.open(dialect);
    for (let i = 0; i < 3; i++) templates.push(await side.addTemplate(CARRIED));
  });
  afterAll(() => side.dispose());

  // rules usage.judge.1, usage.judge.10
  test.each(Array.from({ length: SEEDS }, (_, index) => index + 1))("seed %i", async (seed) => {
    const chance = new Chance(seed, "usage");
    const model = new Model();
    const [users, nodes]: [number[], number[]] = [[], []];
    /** What deleted accounts had used by then. */
    const deleted = new Map<number, number>();
    const at = () => side.clock.now();
    const any = <T>(list: readonly T[]): T => {
      const found = list[Math.floor(chance.next() * list.length)];
      if (found === undefined) throw new Error("nothing to choose from");
      return found;
    };
    /** On all templates, on some, or nowhere; on every inbound, on some, or on one that no node has. */
    const place = (): Place => ({
      on: chance.next() < 0.3 ? null : templates.filter(() => chance.next() < 0.4),
      inbounds: chance.next() < 0.5 ? null : [...CARRIED, 3].filter(() => chance.next() < 0.5),
    });
    const columns = ({ on, inbounds }: Place) => ({
      enable: on === null || on.length > 0 || chance.next() < 0.5,
      allTemplates: on === null,
      templateIds: on === null ? [] : [...on],
      inboundIds: inbounds && [...inbounds],
    });
    const steps: Record<string, () => Promise<void>> = {
      async addUser() {
        const on = place();
        const id = await side.addUser(columns(on));
        users.push(id);
        model.user(at(), id, on);
      },
      async moveUser() {
        const id = any(users);
        if (deleted.has(id)) return;
        const on = place();
        await side.editUser(id, columns(on));
        model.user(at(), id, on);
      },
      async switchOff() {
        const id = any(users);
        if (deleted.has(id)) return;
        await side.editUser(id, { enable: false });
        model.user(at(), id, { on: [], inbounds: null });
      },
      async deleteUser() {
        const id = any(users);
        if (deleted.has(id)) return;
        deleted.set(id, (await side.used(id)) ?? 0);
        await side.deleteUser(id);
        model.user(at(), id, { on: [], inbounds: null });
      },
      async addNode() {
        const template = any(templates);
        const id = await side.addNode(template);
        nodes.push(id);
        model.node(at(), id, template);
      },
      async moveNode() {
        const id = any(nodes);
        const template = any([0, ...templates]);
        await side.editNode(id, { templateId: template || null });
        model.node(at(), id, template);
      },
      async restart() {
        side.restart();
      },
      async forget() {
        await side.forget();
      },
      async report() {
        const id = any(nodes);
        const rows = users
          .filter(() => chance.next() < 0.6)
          .map((user): UsageRow => [user, any(CARRIED), 1 + Math.floor(chance.next() * 100), 1, 0]);
        // Translator everything by now, by some time ago, or nothing on this link yet.
        const until = any([at(), at() - Math.floor(chance.next() * 5) * 30 * MINUTE - 1000, 0]);
        await side.report(id, rows, until);
        model.report(id, rows, until);
      },
    };
    for (let i = 0; i < 3; i++) await steps["addNode"]?.();
    for (let i = 0; i < 5; i++) await steps["addUser"]?.();
    const weighted = [
      "report",
      "report",
      "report",
      "report",
      "moveUser",
      "moveUser",
      "moveNode",
      ...Object.keys(steps),
    ];
    const done: string[] = [];
    for (let step = 0; step < STEPS; step++) {
      side.pass((2 + Math.floor(chance.next() * 60)) * MINUTE);
      const name = any(weighted);
      done.push(name);
      await steps[name]?.();
    }
    for (const id of users) {
      const have = deleted.get(id) ?? (await side.used(id)) ?? 0;
      const late = (await side.usedAfterDeletion(id)) ?? 0;
      expect(have + late, `user ${id} after ${done.join(", ")}`).toBe(model.used.get(id) ?? 0);
    }
  });
});
