// Random commands, traffic and time on a real panel and on the model beside it: after each step both say the same of
// every account.
import { Chance } from "../../simulation/chance.ts";
import { DAY, type TestPanel } from "../panel.ts";
import {
  created,
  due,
  edited,
  extended,
  NO_CYCLE,
  renewed,
  renewedByPlan,
  statusOf,
  traffic,
  usageReset,
  type Account,
  type Cycle,
  type Plan,
  type Renewal,
  type Terms,
} from "./model.ts";

const MOST = 12;
/** Bytes, small enough that traffic reaches them. */
const VOLUMES = [0, 100, 1000] as const;
const TOLD = ["user.disabled", "user.enabled", "user.activated", "user.quota_reached", "user.expired"];
/** Looks at the panel before it is believed that it says something else. */
const TRIES = 400;

type Row = Readonly<Record<string, unknown>> & { readonly id: number };

export class Campaign {
  readonly #panel: TestPanel;
  readonly #chance: Chance;
  readonly #resellers: readonly number[];
  readonly #accounts = new Map<number, Account>();
  readonly #plans: Plan[] = [];
  readonly #log: string[] = [];
  #names = 0;

  /** `resellers`: accounts are moved among them. */
  constructor(panel: TestPanel, seed: number, resellers: readonly number[]) {
    this.#panel = panel;
    this.#chance = new Chance(seed, "lifecycle");
    this.#resellers = [0, ...resellers];
  }

  /** Throws what differs, with the last steps that led to it. */
  async run(steps: number): Promise<void> {
    await this.#makePlans();
    for (let step = 0; step < steps; step++) {
      try {
        await this.#step();
        await this.#compare();
        if (step % 25 === 0 || step === steps - 1) await this.#compareRest();
      } catch (error) {
        throw new Error([`step ${step}: ${String(error)}`, ...this.#log.slice(-12)].join("\n"), { cause: error });
      }
    }
  }

  get #now(): number {
    return Math.floor(this.#panel.clock.now() / 1000);
  }

  async #makePlans(): Promise<void> {
    for (const [days, onFirstUse] of [
      [30, false],
      [7, true],
      [0, false],
    ] as const) {
      const plan = { volume: this.#chance.pick(VOLUMES), days, onFirstUse, cycle: this.#cycle() };
      const { cycle, ...fields } = plan;
      const { id } = await this.#panel.ok("POST", "/plans", { name: `plan ${days}`, ...fields, ...cycle });
      this.#plans.push({ id, ...plan });
    }
  }

  async #step(): Promise<void> {
    const ids = [...this.#accounts.keys()];
    if (ids.length === 0 || (ids.length < MOST && this.#chance.happens(0.08))) return this.#create();
    if (this.#chance.happens(0.2)) return this.#pass();
    const id = this.#chance.pick(ids);
    const account = this.#accounts.get(id);
    if (!account) return;
    const does = this.#chance.pick([
      () => this.#traffic(id, account),
      () => this.#traffic(id, account),
      () => this.#patch(id, account),
      () => this.#patch(id, account),
      () => this.#switch(id, account),
      () => this.#put(id, account),
      () => this.#renew(id, account),
      () => this.#renewByPlan(id, account),
      () => this.#extend(id, account),
      () => this.#reset(id, account),
      () => (this.#chance.happens(0.2) ? this.#delete(id) : this.#move(id, account)),
    ]);
    await does();
  }

  async #create(): Promise<void> {
    const terms = {
      ...this.#terms(),
      ...(this.#chance.happens(0.15) ? { enable: false } : {}),
      ...(this.#chance.happens(0.3) ? { termDays: this.#chance.pick([0, 3, 30]) } : {}),
    };
    const plan = this.#chance.happens(0.3) ? this.#chance.pick(this.#plans) : undefined;
    const body = { name: `account ${++this.#names}`, ...wire(terms), ...(plan ? { planId: plan.id } : {}) };
    const { id } = await this.#call(200, "POST", "/users", body);
    this.#accounts.set(id, created(terms, plan, this.#now));
  }

  /** Time passes: sometimes to the moment at which something is due, sometimes over several periods at once. */
  async #pass(): Promise<void> {
    const ahead = [...this.#accounts.values()]
      .flatMap(({ expiry, nextReset }) => [expiry, nextReset])
      .filter((at) => at > this.#now);
    const exact = ahead.length > 0 && this.#chance.happens(0.5);
    const seconds = exact
      ? Math.min(...ahead) - this.#now - (this.#chance.happens(0.3) ? 1 : 0)
      : this.#chance.pick([60, 3600, DAY, 10 * DAY, 100 * DAY]);
    this.#log.push(`${seconds} seconds pass`);
    await this.#panel.advance(seconds);
    for (const account of this.#accounts.values()) due(account, this.#now);
  }

  async #traffic(id: number, account: Account): Promise<void> {
    const bytes = this.#chance.pick([1, 99, 100, 450]);
    this.#log.push(`account ${id} moves ${bytes} bytes`);
    await this.#panel.traffic(id, bytes, 0);
    traffic(account, bytes, this.#now);
  }

  async #patch(id: number, account: Account): Promise<void> {
    const terms = Object.fromEntries(Object.entries(this.#terms()).filter(() => this.#chance.happens(0.5))) as Terms;
    await this.#call(200, "PATCH", `/users/${id}`, wire(terms));
    edited(account, terms, this.#now);
  }

  async #switch(id: number, account: Account): Promise<void> {
    const enable = this.#chance.happens(0.7);
    await this.#call(200, "PATCH", `/users/${id}`, { enable });
    edited(account, { enable }, this.#now);
  }

  async #put(id: number, account: Account): Promise<void> {
    const terms = { volume: 0, expiry: 0, duration: 0, cycle: NO_CYCLE, ...this.#terms() };
    const enable = this.#chance.happens(0.7);
    const body = { name: `put ${++this.#names}`, ...wire(terms), ...(enable ? { enable } : {}) };
    await this.#call(200, "PUT", `/users/${id}`, body);
    edited(account, { ...terms, enable }, this.#now);
  }

  async #renew(id: number, account: Account): Promise<void> {
    const renewal = this.#chance.pick<Renewal>([
      {},
      {},
      { days: this.#chance.pick([1, 30]) },
      { until: this.#now + this.#chance.pick([-5, 3600, 20 * DAY]) },
    ]);
    const answer = renewed(account, renewal, this.#now);
    const { until, days } = renewal;
    const body = { ...(until === undefined ? {} : { expiry: until }), ...(days === undefined ? {} : { days }) };
    await this.#call(answer, "POST", `/users/${id}/renew`, body);
  }

  async #renewByPlan(id: number, account: Account): Promise<void> {
    const plan = this.#chance.pick(this.#plans);
    await this.#call(200, "POST", `/users/${id}/renew`, { planId: plan.id });
    renewedByPlan(account, plan, this.#now);
  }

  async #extend(id: number, account: Account): Promise<void> {
    const seconds = this.#chance.pick([0, 3600, 3 * DAY]);
    const bytes = this.#chance.pick([0, 50, 500]);
    const answer = extended(account, seconds, bytes, this.#now);
    const body = { bytes, ...(seconds > 0 ? { seconds } : {}) };
    await this.#call(answer, "POST", `/users/${id}/extend`, body);
  }

  async #reset(id: number, account: Account): Promise<void> {
    await this.#call(200, "POST", `/users/${id}/reset-usage`);
    usageReset(account, this.#now);
  }

  async #move(id: number, account: Account): Promise<void> {
    const adminId = this.#chance.pick(this.#resellers);
    await this.#call(200, "PATCH", `/users/${id}`, { adminId });
    edited(account, { adminId }, this.#now);
  }

  async #delete(id: number): Promise<void> {
    await this.#call(200, "DELETE", `/users/${id}`);
    this.#accounts.delete(id);
  }

  #terms(): Terms {
    const length = this.#chance.pick([0, 0, 3600, 5 * DAY, 40 * DAY]);
    return {
      volume: this.#chance.pick(VOLUMES),
      expiry: length === 0 ? 0 : this.#now + length * (this.#chance.happens(0.1) ? -1 : 1),
      duration: this.#chance.pick([0, 0, 0, 7200, 6 * DAY]),
      cycle: this.#cycle(),
    };
  }

  #cycle(): Cycle {
    return this.#chance.pick<Cycle>([
      NO_CYCLE,
      NO_CYCLE,
      { ...NO_CYCLE, autoReset: true, resetDays: this.#chance.pick([1, 30]) },
      { ...NO_CYCLE, autoReset: true, resetPeriod: "monthly", resetStartDay: this.#chance.pick([1, 30, 31]) },
    ]);
  }

  async #call(status: number, method: "POST" | "PUT" | "PATCH" | "DELETE", path: string, body?: object) {
    this.#log.push(`${method} ${path} ${JSON.stringify(body ?? "")} at ${this.#now}`);
    const answer = await this.#panel.call(method, path, body);
    if (answer.status !== status)
      throw new Error(`${method} ${path}: ${answer.status} in place of ${status}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  /** Resolves once the panel says of every account what the model says. */
  async #compare(): Promise<void> {
    const wanted = [...this.#accounts].map(([id, account]) => shown(id, account));
    let said = "";
    for (let tries = 0; tries < TRIES; tries++) {
      const { items } = (await this.#panel.ok("GET", "/users?limit=1000&sort=id")) as { items: readonly Row[] };
      said = items.map(shownRow).join("\n");
      if (said === wanted.join("\n")) return;
      this.#panel.supervisor.pokeTimers();
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    const lines = said.split("\n");
    const differs = wanted.findIndex((line, index) => line !== lines[index]);
    throw new Error(`the panel says\n${lines[differs] ?? "nothing"}\nand the model\n${wanted[differs] ?? "nothing"}`);
  }

  /** Statuses as the list finds them, and the events that were raised. */
  async #compareRest(): Promise<void> {
    const now = this.#now;
    for (const status of ["active", "disabled", "pending", "expired", "limited"]) {
      const { items } = (await this.#panel.ok("GET", `/users?limit=1000&status=${status}`)) as {
        items: readonly Row[];
      };
      const wanted = [...this.#accounts].filter(([, each]) => statusOf(each, now) === status).map(([id]) => id);
      const found = items.map(({ id }) => id);
      if (JSON.stringify(found) !== JSON.stringify(wanted))
        throw new Error(`${status}: the panel finds ${found.join()}, the model ${wanted.join()}`);
    }
    for (const [id, { events }] of this.#accounts) {
      const raised = (await this.#panel.events(id)).filter((event) => TOLD.includes(event));
      if (raised.join() !== events.join())
        throw new Error(`account ${id} raised\n${raised.join()}\nand in the model\n${events.join()}`);
    }
  }
}

/** A body of the API. */
function wire({ cycle, ...terms }: Terms): object {
  return cycle ? { ...terms, ...cycle } : terms;
}

function shown(id: number, account: Account): string {
  const { volume, expiry, duration, term, activatedAt, used, total, nextReset, adminId, reason } = account;
  return JSON.stringify({
    id,
    enable: reason === "",
    disabledReason: reason,
    volume,
    expiry,
    duration,
    term,
    activatedAt,
    used,
    total,
    nextReset,
    adminId,
  });
}

function shownRow(row: Row): string {
  const { id, enable, disabledReason, volume, expiry, duration, term, activatedAt, nextReset, adminId } = row;
  const sum = (a: string, b: string) => Number(row[a]) + Number(row[b]);
  const used = sum("up", "down");
  const total = sum("totalUp", "totalDown");
  return JSON.stringify({
    id,
    enable,
    disabledReason,
    volume,
    expiry,
    duration,
    term,
    activatedAt,
    used,
    total,
    nextReset,
    adminId,
  });
}
