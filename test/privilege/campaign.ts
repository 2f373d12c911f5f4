// One campaign: a panel of its own, the prelude, then calls one after the other, each held against the model:
//
// - what succeeds was allowed, and what the model allows is not refused for rights;
// - a refused call changed nothing, another one only what it may write; accounts, roles, tokens and owners are stored
//   as the model has them;
// - every credential in the world, those that have ended too, reaches what the model says, no more and no less;
// - no answer, frame or delivery holds a secret for somebody who may not read it, nor an event for somebody who may not
//   hear it.
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Dialect } from "../../src/db/index.ts";
import { Chance } from "../simulation/chance.ts";
import { WholePanel } from "../whole-panel.ts";
import { recordFaults, statusFaults, type Events } from "./answers.ts";
import {
  changesOf,
  disagreements,
  linkId,
  openLedger,
  sessionId,
  trespasses,
  type Books,
  type Ledger,
} from "./books.ts";
import { shown, spoken, type Call } from "./call.ts";
import { Drawer, unknownRoutes } from "./drawn.ts";
import { learn } from "./effects.ts";
import { Listeners } from "./listeners.ts";
import { Model, type Credential, type Reach } from "./model.ts";
import { PRIVATE_KEY, prelude } from "./prelude.ts";
import { verdict } from "./verdict.ts";
import { STARTS } from "./single-sign-on.ts";
import { Secrets } from "./secrets.ts";
import { Wire, type Received } from "./wire.ts";

/** Every so many calls all credentials are asked what they reach. */
const EACH_LOOK = 25;

export interface Finding {
  readonly faults: readonly string[];
  readonly calls: readonly Call[];
}

export interface Outcome {
  readonly finding: Finding | undefined;
  readonly calls: number;
  readonly succeeded: ReadonlySet<string>;
  readonly refused: ReadonlySet<string>;
  readonly judged: number;
  readonly secrets: number;
}

export interface CampaignOptions {
  readonly dialect: Dialect;
  readonly seed: number;
  /** Whether to go on after so many calls. */
  readonly goesOn: (calls: number) => boolean;
  /** Calls to repeat in place of drawn ones, after the prelude. */
  readonly replay?: readonly Call[];
}

export class Campaign {
  readonly #options: CampaignOptions;
  readonly #panel: WholePanel;
  readonly #ledger: Ledger;
  readonly #wire: Wire;
  readonly #model = new Model();
  readonly #secrets = new Secrets(this.#model);
  readonly #listeners: Listeners;
  readonly #routes: readonly string[];
  readonly #events: Events;
  readonly #buried = new Map<string, Credential>();
  readonly #succeeded = new Set<string>();
  readonly #refused = new Set<string>();
  #books: Books = new Map();

  private constructor(
    options: CampaignOptions,
    panel: WholePanel,
    ledger: Ledger,
    world: { routes: readonly string[]; events: Events },
  ) {
    this.#options = options;
    this.#panel = panel;
    this.#ledger = ledger;
    this.#wire = new Wire(panel.url);
    this.#routes = world.routes;
    this.#events = world.events;
    this.#listeners = new Listeners(this.#model, this.#secrets, world.events);
  }

  static async run(options: CampaignOptions): Promise<Outcome> {
    const panel = await WholePanel.open(options.dialect);
    const ledger = await openLedger(panel.databaseUrl);
    try {
      // Each request comes from an address of its own: what is counted by address is not what is tried here.
      for (const [key, value] of [
        ["trusted_proxies", "127.0.0.1"],
        ["webhook_allow_private", "true"],
      ])
        await panel.call("PUT", `/api/settings/${key}`, { value });
      const { paths } = (await panel.call("GET", "/api/openapi.json?prefix=api")).body as {
        paths: Record<string, object>;
      };
      const routes = Object.entries(paths).flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.slice("/api".length)}`),
      );
      const unknown = unknownRoutes(routes);
      if (unknown.length > 0) throw new Error(`routes and the model's rules differ: ${unknown.join(", ")}`);
      const catalogue = (await panel.call("GET", "/api/events")).body as {
        events: { name: string; scope: string; family: string }[];
      };
      const events = new Map(catalogue.events.map((event) => [event.name, event]));
      const campaign = new Campaign(options, panel, ledger, { routes, events });
      return await campaign.#run();
    } finally {
      await ledger.close();
      await panel.dispose();
    }
  }

  async #run(): Promise<Outcome> {
    const { seed, goesOn, replay } = this.#options;
    const chance = new Chance(seed, "privilege");
    await this.#listeners.open();
    try {
      await this.#begin();
      const drawer = new Drawer(chance, this.#model);
      const calls: Call[] = [];
      const outcome = (faults: readonly string[]): Outcome => ({
        finding: faults.length === 0 ? undefined : { faults, calls },
        calls: calls.length,
        succeeded: this.#succeeded,
        refused: this.#refused,
        judged: this.#listeners.judged,
        secrets: this.#secrets.size,
      });
      for (const call of prelude()) {
        const faults = await this.#step(call);
        if (faults.length > 0) return outcome(faults.map((fault) => `in the prelude: ${fault}: ${shown(call)}`));
      }
      for (let count = 0; replay ? count < replay.length : goesOn(count); count++) {
        if (chance.happens(0.1)) this.#listeners.tune(this.#panel.url, chance);
        if (chance.happens(0.01)) this.#listeners.drop(chance);
        const call = replay?.[count] ?? this.#drawn(drawer, chance);
        calls.push(call);
        const faults = await this.#step(call);
        if (count % EACH_LOOK === 0) faults.push(...(await this.#look(chance)));
        if (faults.length > 0) return outcome(faults);
      }
      return outcome(await this.#look(chance));
    } finally {
      this.#wire.close();
      await this.#listeners.close();
    }
  }

  /** What the panel began with: its owner, with a session and a token that reach everything. */
  async #begin(): Promise<void> {
    const nothing = { usersReadOnly: false, plansOnly: false, expired: false, seed: "", recovery: [] };
    this.#model.accounts.set("root", {
      name: "root",
      role: "sudo",
      owner: true,
      password: "correct horse",
      ...nothing,
    });
    const me = (await this.#panel.call("GET", "/api/me")).body as { id: number };
    const tokens = (await this.#panel.call("GET", "/api/tokens")).body as { id: number; desc: string }[];
    this.#model.panel = this.#panel.url;
    this.#model.things.set("admins/root", { id: me.id, owner: "" });
    this.#model.things.set("tokens/test", { id: tokens[0]?.id ?? 0, owner: "root" });
    const common = { account: "root", freshUntil: 0 };
    this.#model.credentials.set("root-session", {
      ...common,
      label: "root-session",
      via: "session",
      text: this.#panel.cookie,
      scopes: [...this.#model.accountScopes("root")],
    });
    this.#model.credentials.set("test", {
      ...common,
      label: "test",
      via: "token",
      text: this.#panel.token,
      role: "sudo",
    });
    const key = await readFile(join(this.#panel.directory, "secret.key"));
    for (const text of [key.toString("hex"), key.toString("base64"), key.toString("utf8").trim()])
      this.#secrets.keep("the panel's key", text);
    for (const text of [
      "setup-token",
      "correct horse",
      "eab-key-canary-71",
      "webhook-secret-canary-23",
      "client-secret-canary-42",
    ])
      this.#secrets.keep(text, text);
    this.#secrets.keepOfPool("a private key of REALITY", PRIVATE_KEY);
    this.#books = await this.#ledger.read();
    this.#listeners.note(Date.now());
  }

  /** Mostly a living credential, sometimes one that has ended. */
  #drawn(drawer: Drawer, chance: Chance): Call {
    const call = drawer.draw(this.#routes, Date.now());
    return this.#buried.size > 0 && call.by !== "" && chance.happens(0.03)
      ? { ...call, by: chance.pick([...this.#buried.keys()]) }
      : call;
  }

  async #step(call: Call): Promise<string[]> {
    const now = Date.now();
    const credential = this.#model.credentials.get(call.by) ?? this.#buried.get(call.by);
    const words = spoken(call, this.#model, now);
    // Left over from a longer sequence: it means nothing here.
    if (!words || (call.by !== "" && !credential)) return [];
    const expected = verdict(this.#model, call, now);
    const was = this.#model.reach(call.by);
    const started = await this.#wire.send(words, credential);
    const received =
      STARTS.has(call.route) && started.status === 200 ? await this.#comeBack(call, started, credential) : started;
    const faults = statusFaults(this.#model, call, expected, received);
    const succeeded = received.status < 300;
    (succeeded ? this.#succeeded : this.#refused).add(call.route);
    const sent = JSON.stringify(words.body ?? "") + words.target;
    const alive = new Map(this.#model.credentials);
    if (call.route.startsWith("GET ")) {
      if (succeeded) faults.push(...recordFaults(this.#model, call, received.text, was, this.#events));
      return [...faults, ...this.#leaks(call, received, was, sent), ...this.#listeners.judge()];
    }
    const after = await this.#ledger.read();
    // The world before a call says whose rows the call may write. For rows that the call made, the world after it says
    // so.
    const changes = changesOf(this.#books, after);
    if (faults.length === 0) faults.push(...trespasses(changes, call, expected.allowed && succeeded, this.#model));
    this.#books = after;
    this.#secrets.gather(after);
    if (succeeded && faults.length === 0) learn(this.#model, call, received, now);
    for (const [label, ended] of alive) if (!this.#model.credentials.has(label)) this.#buried.set(label, ended);
    this.#listeners.note(Date.now());
    faults.push(...this.#leaks(call, received, was, sent));
    this.#keepSecrets(call, received, was, faults);
    if (faults.length === 0) faults.push(...disagreements(after, this.#model));
    return faults.concat(this.#listeners.judge());
  }

  /** The browser comes back from the identity provider, which says whatever the call claims. */
  async #comeBack(call: Call, { text, browser }: Received, credential: Credential | undefined): Promise<Received> {
    const { url } = JSON.parse(text) as { url: string };
    const asked = new URL(url).searchParams;
    const { pathname } = new URL(asked.get("redirect_uri") ?? "");
    // A code is given once.
    const code = `${call.claims ?? ""}~${randomUUID()}`;
    const query = new URLSearchParams({ code, state: asked.get("state") ?? "" });
    const back = await this.#wire.send(
      { method: "GET", target: `${pathname}?${query.toString()}`, body: undefined, browser },
      credential,
    );
    return { ...back, status: 200, text };
  }

  #leaks(call: Call, received: Received, was: Reach | undefined, sent: string): string[] {
    return this.#secrets
      .found(received.text, call.by, { was, sent })
      .map((what) => `the answer to ${call.by || "nobody"} holds ${what}`);
  }

  /** A value that an answer gave only to its caller is a secret from then on: nobody else may receive it. */
  #keepSecrets(call: Call, { text }: Received, was: Reach | undefined, faults: string[]): void {
    const given = this.#model.credentials.get(call.gives ?? "");
    if (given?.via === "session")
      this.#model.things.set(`sessions/${given.label}`, {
        id: sessionId(this.#books, given.text),
        owner: given.account,
      });
    for (const [key, link] of this.#model.things)
      if (link.id === 0 && key.startsWith("links/"))
        this.#model.things.set(key, { ...link, id: linkId(this.#books, key, this.#model) });
    if (given) this.#secrets.keep(`the credential ${given.label}`, given.text.replace(/^panel_session=/, ""));
    for (const { name, password, seed, recovery } of this.#model.accounts.values()) {
      this.#secrets.keep(`the password of ${name}`, password);
      this.#secrets.keep(`the TOTP seed of ${name}`, seed);
      for (const code of recovery) this.#secrets.keep(`a recovery code of ${name}`, code);
    }
    for (const seed of this.#model.enrolled.values()) this.#secrets.keep("a TOTP seed that waits", seed);
    for (const [, secret] of JSON.stringify(call.body ?? {}).matchAll(
      /"((?:webhook-secret|client-secret|eab-key)-\d+x)"/g,
    ))
      this.#secrets.keep("a secret of a form", secret);
    const reach = given?.via === "token" && text !== "" ? this.#model.reach(given.label) : undefined;
    const more = [...(reach?.scopes ?? [])].filter((scope) => !was?.scopes.has(scope));
    if (more.length > 0) faults.push(`the new token reaches ${more.join(", ")}, which its maker does not`);
  }

  /** Asks every credential what it reaches; ended ones must reach nothing. */
  async #look(chance: Chance): Promise<string[]> {
    const faults: string[] = [];
    const ended = [...this.#buried.values()].filter(() => chance.happens(0.2));
    await Promise.all(
      [...this.#model.credentials.values(), ...ended].map(async (credential) => {
        const { status, text } = await this.#wire.send(
          { method: "GET", target: "/api/v1/me", body: undefined },
          credential,
        );
        const reach = this.#model.reach(credential.label);
        if (!reach)
          return void (status === 401
            ? 0
            : faults.push(`${credential.label} has ended and gets ${status} ${text.slice(0, 100)}`));
        const {
          scopes = [],
          base,
          owner,
          username,
        } = (status === 200 ? JSON.parse(text) : {}) as {
          scopes?: string[];
          base?: string;
          owner?: boolean;
          username?: string;
        };
        const means = [[...reach.scopes].toSorted().join(" "), reach.base, reach.owner, reach.account].join(" | ");
        const says = [scopes.toSorted().join(" "), base, owner, username].join(" | ");
        return void (means === says
          ? 0
          : faults.push(`${credential.label} reaches ${status} ${says}, and should ${means}`));
      }),
    );
    return faults;
  }
}
