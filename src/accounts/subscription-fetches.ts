// Records of who fetched a subscription: kept in memory for at most five seconds, then written for all accounts at once
// (rules subscriptions.fetch).
import PQueue from "p-queue";
import { lock, sql, type Committer, type Reader } from "../db/index.ts";
import type { Cancel, Clock } from "../lib/clock.ts";
import type { Outbox } from "../runtime/index.ts";
import { userEvent } from "./user.actor.ts";
import { UserRows } from "./user.entity.ts";

/** One request against a subscription URL. */
export interface Fetch {
  readonly userId: number;
  /** The configurations were handed over, not only looked at. */
  readonly taken: boolean;
  /** The account had never taken them before, as far as its row said. */
  readonly first: boolean;
  readonly client: string;
  readonly ip: string;
}

export interface FetchRecordOptions {
  readonly commits: Committer;
  readonly reads: Reader;
  readonly clock: Clock;
  readonly outbox: Outbox<"user.first_fetch">;
  readonly onError: (error: unknown) => void;
}

const COALESCE_MS = 5000;
const CLIENT_LENGTH = 256;

interface Kept {
  readonly id: number;
  seen: number;
  fetched: number;
  client: string;
  ip: string;
}

export class FetchRecords {
  readonly #options: FetchRecordOptions;
  #kept = new Map<number, Kept>();
  #cancel: Cancel | undefined;
  /** What was taken out of memory and is neither written nor given up. */
  readonly #writing = new PQueue({ concurrency: 1 });
  /** Accounts whose first fetch is being told. */
  readonly #firsts = new Set<number>();

  constructor(options: FetchRecordOptions) {
    this.#options = options;
  }

  note({ userId, taken, first, client, ip }: Fetch): void {
    const now = Math.floor(this.#options.clock.now() / 1000);
    const kept = this.#kept.get(userId) ?? { id: userId, seen: 0, fetched: 0, client: "", ip: "" };
    this.#kept.set(userId, kept);
    kept.seen = now;
    if (taken) {
      kept.fetched = now;
      kept.client = client.toWellFormed().slice(0, CLIENT_LENGTH).toWellFormed();
      kept.ip = ip;
    }
    if (taken && first) void this.#tellFirst({ ...kept });
    this.#cancel ??= this.#options.clock.after(COALESCE_MS, () => void this.flush());
  }

  /**
   * Writes what is kept; resolves when it is on disk. A failure is reported and the records are lost: they are no more
   * than a hint.
   */
  flush(): Promise<void> {
    this.#cancel?.();
    this.#cancel = undefined;
    const rows = [...this.#kept.values()].toSorted((a, b) => a.id - b.id);
    this.#kept = new Map();
    if (rows.length > 0) void this.#writing.add(() => this.#write(rows).catch(this.#options.onError));
    return this.#writing.onIdle();
  }

  /**
   * One statement for all. It does not change the row's version: an editor of the account does not depend on these
   * fields.
   */
  async #write(rows: readonly Kept[]): Promise<void> {
    const { commits, reads } = this.#options;
    const json = JSON.stringify(rows);
    const values =
      reads.dialect === "sqlite"
        ? sql`(select value->>'id' as id, value->>'seen' as seen, value->>'fetched' as fetched, value->>'client' as client, value->>'ip' as ip from json_each(${json})) v`
        : sql`json_to_recordset(${json}::json) v(id bigint, seen bigint, fetched bigint, client text, ip text)`;
    const update = sql`update users set
      sub_seen_at = case when v.seen > users.sub_seen_at then v.seen else users.sub_seen_at end,
      sub_fetched_at = case when v.fetched > users.sub_fetched_at then v.fetched else users.sub_fetched_at end,
      sub_client = case when v.fetched > 0 then v.client else users.sub_client end,
      sub_fetch_ip = case when v.fetched > 0 then v.ip else users.sub_fetch_ip end
      from ${values} where users.id = v.id`;
    const held = sql`select id from users where id in (select v.id from ${values}) order by id for update`;
    const statements = [
      // Row locks in id order, as every set-based change takes them.
      ...(reads.dialect === "sqlite" ? [] : [reads.statement("held", held)]),
      reads.statement("fetches", update),
    ];
    await commits.execute({ name: "subscription.fetches", statements });
  }

  /**
   * `user.first_fetch`, in the transaction that writes the account's first fetch: all four fields, so that nobody reads
   * a fetch by nobody.
   */
  async #tellFirst({ id: userId, seen, fetched, client, ip }: Kept): Promise<void> {
    if (this.#firsts.has(userId)) return;
    this.#firsts.add(userId);
    const { commits, outbox, onError } = this.#options;
    try {
      await commits.submit({
        name: "subscription.first_fetch",
        locks: [lock(UserRows, userId)],
        decide(draft) {
          const row = draft.find(UserRows, userId);
          if (row?.subFetchedAt !== 0) return;
          draft.update(UserRows, userId, { subSeenAt: seen, subFetchedAt: fetched, subClient: client, subFetchIp: ip });
          outbox.raise(draft, userEvent(row, "user.first_fetch", { client }));
        },
      });
    } catch (error) {
      onError(error);
    } finally {
      this.#firsts.delete(userId);
    }
  }
}
