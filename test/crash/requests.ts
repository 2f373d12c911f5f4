// Commands made into requests when their turn comes, on the records that are known by then.
import type { Sent } from "./client.ts";
import type { Command, Verb } from "./commands.ts";
import type { Collection, Known } from "./known.ts";

/** What becomes of a request is told by its marker: a text in the record that it writes, and so in its audit record. */
export interface Request extends Sent {
  readonly collection: Collection;
  readonly verb: string;
  readonly id?: number | string;
  readonly marker?: string;
  readonly deletes?: true;
}

/** What requests need of the panel that was set up. */
export interface Stage {
  readonly reseller: number;
  readonly fleetTemplate: number;
  /** Nodes of the simulated fleet: never deleted or moved. */
  readonly fleetNodes: readonly number[];
  readonly fleetInbound: number;
  /** Address of the receiver of webhooks. */
  readonly receiver: string;
  readonly secret: string;
  /** The webhook that hears everything, and the token in use. */
  readonly hook: number;
  readonly token: number;
  /** A port on which nothing listens. */
  readonly closedPort: number;
}

type Draft = Omit<Request, "body" | "key"> & { readonly body?: object };

const SETTINGS = ["sub_title", "sub_announce", "sub_happ_scheme", "acme_eab_kid"] as const;

const DRAFTS: Readonly<Record<Verb, (turn: Turn) => Draft | undefined>> = {
  "user.create": (turn) =>
    turn.create("users", { name: `user-${turn.n}`, desc: turn.marker, ...userFields(turn, true) }),
  "user.duplicate": (turn) =>
    turn.on("users", (id) =>
      turn.create("users", { name: turn.known.of("users").get(String(id))?.body["name"], desc: turn.marker }),
    ),
  "user.patch": (turn) =>
    turn.on("users", (id) => turn.write("PATCH", "users", id, { desc: turn.marker, ...userFields(turn, false) })),
  "user.put": (turn) =>
    turn.on("users", (id) => {
      const whole = {
        name: `user-of-${turn.n}`,
        desc: turn.marker,
        enable: turn.roll(4) < 0.7,
        ...userFields(turn, true),
      };
      return turn.write("PUT", "users", id, whole);
    }),
  "user.renew": (turn) => turn.on("users", (id) => turn.ask("users", id, "renew", { days: 30 })),
  "user.reset": (turn) => turn.on("users", (id) => turn.ask("users", id, "reset-usage")),
  "user.delete": (turn) => turn.delete("users", 25),
  "inbound.create": (turn) =>
    turn.create("inbounds", {
      tag: `in-${turn.n}`,
      type: "vless",
      config: { listen_port: 20_000 + (turn.n % 20_000), ...carried(turn) },
      remark: turn.marker,
    }),
  "inbound.put": (turn) =>
    turn.on("inbounds", (id) =>
      turn.write("PUT", "inbounds", id, {
        remark: turn.marker,
        config: { listen_port: 10_000 + (turn.n % 9000), ...carried(turn) },
      }),
    ),
  "inbound.delete": (turn) => turn.delete("inbounds", 5, [turn.stage.fleetInbound]),
  "front.create": (turn) =>
    turn.create("fronts", {
      name: `front-${turn.n}`,
      domain: `c${turn.n}.example`,
      remark: turn.marker,
      inboundIds: turn.some("inbounds"),
    }),
  "front.put": (turn) =>
    turn.on("fronts", (id) =>
      turn.write("PUT", "fronts", id, {
        remark: turn.marker,
        enabled: turn.roll(1) < 0.7,
        ...(turn.roll(0) < 0.5 ? { inboundIds: turn.some("inbounds") } : {}),
      }),
    ),
  "front.delete": (turn) => turn.delete("fronts", 3),
  "outbound.create": (turn) => turn.create("outbounds", { tag: `out-${turn.n}`, type: "direct", remark: turn.marker }),
  "outbound.put": (turn) => turn.on("outbounds", (id) => turn.write("PUT", "outbounds", id, { remark: turn.marker })),
  "outbound.delete": (turn) => turn.delete("outbounds", 5),
  "template.create": (turn) =>
    turn.create("templates", { name: `template-${turn.n}`, remark: turn.marker, ...lists(turn) }),
  "template.put": (turn) =>
    turn.on("templates", (id) =>
      turn.write("PUT", "templates", id, {
        remark: turn.marker,
        ...(id === turn.stage.fleetTemplate ? {} : lists(turn)),
      }),
    ),
  "template.delete": (turn) => turn.delete("templates", 4, [turn.stage.fleetTemplate]),
  "node.create": (turn) =>
    turn.create("nodes", {
      name: `node-${turn.n}`,
      address: "127.2.0.1",
      port: turn.stage.closedPort,
      remark: turn.marker,
      templateId: turn.some("templates")[0] ?? null,
      multiplier: 1.25,
    }),
  "node.put": (turn) =>
    turn.on("nodes", (id) =>
      turn.write("PUT", "nodes", id, { remark: turn.marker, linkAddress: turn.roll(0) < 0.5 ? "" : `h${turn.n}.test` }),
    ),
  "node.enabled": (turn) => turn.on("nodes", (id) => turn.ask("nodes", id, "enabled", { enabled: turn.roll(0) < 0.6 })),
  "node.reconnect": (turn) => turn.on("nodes", (id) => turn.ask("nodes", id, "reconnect")),
  "node.delete": (turn) => turn.delete("nodes", 12, turn.stage.fleetNodes),
  "setting.put": (turn) => turn.write("PUT", "settings", turn.pick(SETTINGS) ?? SETTINGS[0], { value: turn.marker }),
  "webhook.create": (turn) =>
    turn.create("webhooks", {
      name: turn.marker,
      url: `${turn.stage.receiver}/other`,
      secret: turn.stage.secret,
      events: ["user.*"],
      enabled: turn.roll(0) < 0.3,
    }),
  "webhook.put": (turn) => turn.on("webhooks", (id) => turn.write("PUT", "webhooks", id, { name: turn.marker })),
  "webhook.delete": (turn) => turn.delete("webhooks", 3, [turn.stage.hook]),
  "webhook.ping": (turn) => turn.ask("webhooks", turn.stage.hook, "ping"),
  "token.create": (turn) => turn.create("tokens", { desc: turn.marker, scopes: ["users:read"], rateLimit: 1000 }),
  "token.delete": (turn) => turn.delete("tokens", 3, [turn.stage.token]),
};

/** The request of a command; undefined when there is nothing yet that it could be about. `now`: Unix seconds. */
export function requestOf(command: Command, known: Known, stage: Stage, now: number): Request | undefined {
  const draft = DRAFTS[command.verb](new Turn(command, known, stage, now));
  if (!draft) return undefined;
  const { body, ...rest } = draft;
  return {
    ...rest,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(command.keyed ? { key: `key-${command.n}` } : {}),
  };
}

/** A command whose turn it is. */
class Turn {
  readonly n: number;
  readonly marker: string;
  readonly known: Known;
  readonly stage: Stage;
  readonly now: number;
  readonly #command: Command;

  constructor(command: Command, known: Known, stage: Stage, now: number) {
    this.n = command.n;
    this.marker = `c${command.n}`;
    this.known = known;
    this.stage = stage;
    this.now = now;
    this.#command = command;
  }

  roll(index: number): number {
    return this.#command.rolls[index] ?? 0;
  }

  pick<T>(list: readonly T[]): T | undefined {
    return list[Math.floor(this.#command.pick * list.length)];
  }

  create(collection: Collection, body: object): Draft {
    return { method: "POST", path: `/${collection}`, collection, verb: "create", marker: this.marker, body };
  }

  write(method: string, collection: Collection, id: number | string, body: object): Draft {
    return { method, path: `/${collection}/${id}`, collection, verb: "update", id, marker: this.marker, body };
  }

  ask(collection: Collection, id: number, verb: string, body?: object): Draft {
    return {
      method: "POST",
      path: `/${collection}/${id}/${verb}`,
      collection,
      verb,
      id,
      ...(body === undefined ? {} : { body }),
    };
  }

  /** Keeps the last few, and what the stage stands on. */
  delete(collection: Collection, atLeast: number, kept: readonly number[] = []): Draft | undefined {
    const ids = this.known.ids(collection).filter((id) => !kept.includes(id));
    const id = ids.length <= atLeast ? undefined : this.pick(ids);
    return id === undefined
      ? undefined
      : { method: "DELETE", path: `/${collection}/${id}`, collection, verb: "delete", id, deletes: true };
  }

  /** Some records are everybody's: that is where commands meet. */
  on(collection: Collection, make: (id: number) => Draft): Draft | undefined {
    const ids = this.known.ids(collection);
    const id = this.pick(this.roll(5) < 0.3 ? ids.slice(0, 3) : ids);
    return id === undefined ? undefined : make(id);
  }

  /** At most three records of a collection, beginning anywhere. */
  some(collection: Collection): number[] {
    const ids = this.known.ids(collection);
    const from = Math.floor(this.#command.also * ids.length);
    return ids.slice(from, from + 1 + Math.floor(this.roll(3) * 3));
  }
}

function lists(turn: Turn): object {
  return { inboundIds: turn.some("inbounds"), outboundIds: turn.some("outbounds") };
}

/** Most inbounds have a transport that fronts carry; those without refuse them. */
function carried(turn: Turn): object {
  return turn.roll(0) < 0.85 ? { transport: { type: "ws", path: `/${turn.n}` } } : {};
}

/** Limits that are reached soon, later or never, so that timers fire while the commands run. */
function userFields(turn: Turn, whole: boolean): object {
  const [volume, expiry, plan, owner] = [turn.roll(0), turn.roll(1), turn.roll(2), turn.roll(3)];
  return {
    ...(whole || volume < 0.3
      ? { volume: volume < 0.1 ? 40_000 + Math.floor(volume * 1e6) : volume < 0.2 ? 1e12 : 0 }
      : {}),
    ...(whole || expiry < 0.4
      ? { expiry: expiry < 0.25 ? turn.now + Math.floor(expiry * 12) : expiry < 0.35 ? turn.now + 3600 : 0 }
      : {}),
    ...(whole && plan < 0.15 ? { duration: 3600 } : {}),
    ...(whole && owner < 0.3 ? { adminId: turn.stage.reseller } : {}),
    ...(whole && plan > 0.7 ? { templateIds: turn.some("templates") } : {}),
    ...(!whole && plan < 0.25 ? { enable: plan < 0.15 } : {}),
  };
}
