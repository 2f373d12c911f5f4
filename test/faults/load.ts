// A steady load over HTTP and its books: who was answered what, and whether the panel's records agree once it is well
// again.
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import type { Api } from "../e2e/api.ts";
import { startStopwatch } from "../stopwatch.ts";

/** A request and what became of it. `status` 0: the connection ended without an answer. */
export interface Answer {
  readonly kind: "create" | "change" | "read";
  readonly name: string;
  readonly status: number;
  readonly retryAfter: string | null;
  readonly code: string;
  /** Unix milliseconds by the test's clock. */
  readonly at: number;
  /** How long it took, as a quiet machine counts it. */
  readonly ms: number;
}

interface Known {
  readonly id: number;
  /** What `desc` may be: the last answered value, and those whose request was not answered with 200 after it. */
  descriptions: string[];
}

const Made = z.object({ id: z.number() });
const User = z.object({ id: z.number(), name: z.string(), desc: z.string() });
type User = z.output<typeof User>;
const Page = z.object({ items: z.array(User) });
const Refused = z.object({ code: z.string() });

export class Load {
  readonly told: Answer[] = [];
  readonly #api: Api;
  readonly #label: string;
  /** Users whose creation was answered with 200, by name. */
  readonly #made = new Map<string, Known>();
  readonly #refused = new Set<string>();
  readonly #workers: Promise<void>[];
  #ending = false;
  #next = 0;

  /** Begins: `workers` callers, each with a request under way and a rest of `restMs` after it. */
  constructor(
    api: Api,
    { workers = 6, restMs = 20, label = "load" }: { workers?: number; restMs?: number; label?: string } = {},
  ) {
    this.#api = api;
    this.#label = label;
    this.#workers = Array.from({ length: workers }, (_, worker) => this.#work(worker, restMs));
  }

  /** Lets what is under way end. */
  async stop(): Promise<void> {
    this.#ending = true;
    await Promise.all(this.#workers);
  }

  /** Requests that began at or after a moment. */
  since(at: number): Answer[] {
    return this.told.filter((each) => each.at >= at);
  }

  /** How many were answered so, by status. */
  static statuses(told: readonly Answer[]): Record<number, number> {
    const counts: Record<number, number> = {};
    for (const { status } of told) counts[status] = (counts[status] ?? 0) + 1;
    return counts;
  }

  /**
   * Where the panel's records differ from what was answered. `exact`: what was refused must not be there; without it, a
   * refusal may have come too late.
   */
  async differences(exact: boolean): Promise<string[]> {
    const users = new Map<string, User>();
    for (let offset = 0; ; offset += 1000) {
      const { items } = Page.parse(await this.#api.ok("GET", `/users?limit=1000&offset=${offset}`));
      for (const user of items) users.set(user.name, user);
      if (items.length < 1000) break;
    }
    const wrong: string[] = [];
    for (const [name, { id, descriptions }] of this.#made) {
      const user = users.get(name);
      if (user?.id !== id) wrong.push(`${name} was created as ${id}, now ${user?.id}`);
      else if (!descriptions.includes(user.desc))
        wrong.push(`${name} reads "${user.desc}", not one of ${descriptions.join(", ")}`);
    }
    if (exact) for (const name of this.#refused) if (users.has(name)) wrong.push(`${name} was refused and is there`);
    return wrong;
  }

  get answered(): number {
    return this.#made.size;
  }

  async #work(worker: number, restMs: number): Promise<void> {
    const mine: string[] = [];
    for (let turn = 0; !this.#ending; turn++) {
      const name = mine.at(-1);
      if (name === undefined || turn % 3 === 0) {
        const fresh = `${this.#label}-${worker}-${this.#next++}`;
        if (await this.#create(fresh)) mine.push(fresh);
      } else if (turn % 3 === 1) await this.#change(name, `turn ${turn}`);
      else await this.#read(name);
      await pause(restMs);
    }
  }

  async #create(name: string): Promise<boolean> {
    const { told, body } = await this.#ask("create", name, "POST", "/api/v1/users", { name });
    if (told.status !== 200) {
      if (told.status === 503) this.#refused.add(name);
      return false;
    }
    this.#made.set(name, { id: Made.parse(body).id, descriptions: [""] });
    return true;
  }

  async #change(name: string, desc: string): Promise<void> {
    const known = this.#made.get(name);
    if (!known) return;
    const { told } = await this.#ask("change", name, "PATCH", `/api/v1/users/${known.id}`, { desc });
    known.descriptions = told.status === 200 ? [desc] : [...known.descriptions, desc];
  }

  async #read(name: string): Promise<void> {
    await this.#ask("read", name, "GET", `/api/v1/users/${this.#made.get(name)?.id ?? 0}`);
  }

  async #ask(
    kind: Answer["kind"],
    name: string,
    method: string,
    path: string,
    sent?: unknown,
  ): Promise<{ told: Answer; body: unknown }> {
    const at = Date.now();
    const elapsed = startStopwatch();
    let answer: { status: number; retryAfter: string | null; code: string; body: unknown };
    try {
      const { status, headers, body } = await this.#api.request(method, path, sent);
      answer = { status, retryAfter: headers.get("retry-after"), code: Refused.safeParse(body).data?.code ?? "", body };
    } catch {
      answer = { status: 0, retryAfter: null, code: "", body: undefined };
    }
    const { body, ...said } = answer;
    const told: Answer = { kind, name, ...said, at, ms: Math.round(elapsed()) };
    this.told.push(told);
    return { told, body };
  }
}
