// The columns of an account from which its subscription is made, and how they are read: by a key, in one statement.
// They are a third of all columns, so that hundreds of thousands of accounts fit into memory.
import { UserRows, UserUsageRows, type UserRow, type UserUsageRow } from "../../accounts/index.ts";
import { sql, type Reader, type Row } from "../../db/index.ts";

/** Columns of `users` by the property under which they are read. */
const COLUMNS = {
  id: "id",
  name: "name",
  remark: "remark",
  config: "config",
  enable: "enable",
  disabledReason: "disabled_reason",
  duration: "duration",
  activatedAt: "activated_at",
  expiry: "expiry",
  volume: "volume",
  nextReset: "next_reset",
  deviceLimit: "device_limit",
  subId: "sub_id",
  subToken: "sub_token",
  subFetchedAt: "sub_fetched_at",
  allTemplates: "all_templates",
  templateIds: "template_ids",
  inboundIds: "inbound_ids",
} as const satisfies Partial<Readonly<Record<keyof UserRow, string>>>;

export type SubscriberRow = Readonly<Pick<UserRow, keyof typeof COLUMNS>>;

/** An account with its counters, as far as subscriptions show them. */
export interface Subscriber {
  readonly row: SubscriberRow;
  readonly usage: Readonly<Pick<UserUsageRow, "up" | "down">>;
}

const LIST = sql.raw([...Object.values(COLUMNS).map((column) => `u.${column}`), "g.up", "g.down"].join(", "));
const FROM = sql.raw("users u join user_usage g on g.id = u.id");

/** Most accounts have the same: one list for all of them. */
const NONE: number[] = [];

function decoded(reads: Reader, found: Row): Subscriber {
  const row = reads.decode(UserRows, found);
  const { up, down } = reads.decode(UserUsageRows, found);
  const { uuid, password, ss16, ss32, flow, by } = row.config;
  // Written out, so that all of them have one shape: an object of loose properties takes twice the memory.
  return {
    row: {
      id: row.id,
      name: row.name,
      remark: row.remark,
      config: { uuid, password, ss16, ss32, ...(flow !== undefined && { flow }), ...(by !== undefined && { by }) },
      enable: row.enable,
      disabledReason: row.disabledReason,
      duration: row.duration,
      activatedAt: row.activatedAt,
      expiry: row.expiry,
      volume: row.volume,
      nextReset: row.nextReset,
      deviceLimit: row.deviceLimit,
      subId: row.subId,
      subToken: row.subToken,
      subFetchedAt: row.subFetchedAt,
      allTemplates: row.allTemplates,
      templateIds: row.templateIds.length === 0 ? NONE : row.templateIds,
      inboundIds: row.inboundIds,
    },
    usage: { up, down },
  };
}

/**
 * Chooses the account that a key means, among those that it may mean. A token is never guessed: if one account's chosen
 * id equals another's token, the key means the token's owner.
 */
function meant(found: readonly Subscriber[], key: string): Subscriber | undefined {
  return found.find(({ row }) => row.subToken === key) ?? found.find(({ row }) => row.subId === key);
}

interface Waiting {
  readonly found: Promise<Subscriber | undefined>;
  readonly resolve: (subscriber: Subscriber | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** Keys in one statement. */
const KEYS = 500;

/**
 * Reads accounts by their keys. On PostgreSQL, all that are asked for in one turn of the event loop are one statement:
 * a statement costs the server more than the rows that it finds.
 */
export class Subscribers {
  readonly #reads: Reader;
  #asked = new Map<string, Waiting>();

  constructor(reads: Reader) {
    this.#reads = reads;
  }

  /** The account of a key (letters, digits, `-` and `_`) as it is when this is called, or later. */
  async find(key: string): Promise<Subscriber | undefined> {
    if (this.#reads.dialect === "postgresql") return this.#findTogether(key);
    const rows = await this.#reads.query(
      sql<Row>`select ${LIST} from ${FROM} where u.sub_id = ${key} or u.sub_token = ${key}`,
    );
    return meant(
      rows.map((row) => decoded(this.#reads, row)),
      key,
    );
  }

  #findTogether(key: string): Promise<Subscriber | undefined> {
    if (this.#asked.size === 0) setImmediate(() => this.#readAsked());
    let waiting = this.#asked.get(key);
    if (!waiting) {
      const { promise: found, resolve, reject } = Promise.withResolvers<Subscriber | undefined>();
      this.#asked.set(key, (waiting = { found, resolve, reject }));
    }
    return waiting.found;
  }

  #readAsked(): void {
    const all = [...this.#asked];
    this.#asked = new Map();
    for (let from = 0; from < all.length; from += KEYS) void this.#read(new Map(all.slice(from, from + KEYS)));
  }

  async #read(asked: ReadonlyMap<string, Waiting>): Promise<void> {
    // An array as PostgreSQL writes it. Quoted: without, `null` would be no text.
    const keys = `{${[...asked.keys()].map((key) => `"${key}"`).join(",")}}`;
    try {
      const rows = await this.#reads.query(
        sql<Row>`select ${LIST} from ${FROM} where u.sub_id = any(${keys}::text[]) or u.sub_token = any(${keys}::text[])`,
        { again: true },
      );
      const found = rows.map((row) => decoded(this.#reads, row));
      const byToken = new Map(found.map((one) => [one.row.subToken, one]));
      const byId = new Map(found.map((one) => [one.row.subId, one]));
      for (const [key, { resolve }] of asked) resolve(byToken.get(key) ?? byId.get(key));
    } catch (error) {
      for (const { reject } of asked.values()) reject(error);
    }
  }
}
