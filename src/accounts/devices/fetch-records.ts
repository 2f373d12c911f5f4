// Records of who fetched a subscription: kept in memory for at most five seconds, then written for all accounts at once
// (rules subscriptions.fetch).
import { ACCOUNTS_COUNTED } from "../serving/served-accounts.ts";
import { UserRows } from "../records/user.entity.ts";
import { userEvent } from "../users/user.actor.ts";
import type { Device } from "../records/device.entity.ts";
import PQueue from "p-queue";
import { Facts, lock, sql, type Committer, type Reader, type Statement } from "../../db/index.ts";
import type { Cancel, Clock } from "../../lib/clock.ts";
import type { Outbox } from "../../runtime/index.ts";
import { shortText, type DeviceClaim } from "./admission.ts";

/** One request against a subscription URL. */
export interface Fetch {
  readonly userId: number;
  /** The configurations were handed over, not only looked at. */
  readonly taken: boolean;
  /** The account had never taken them before, as far as its row said. */
  readonly first: boolean;
  readonly client: string;
  readonly ip: string;
  readonly format: string;
  /** What the device says of itself, if it has its place; else undefined. */
  readonly device: DeviceClaim | undefined;
  /** As the request names it; empty = none. */
  readonly hwid: string;
  /** HTTP status of the answer. */
  readonly status: number;
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
const CLIENTS_KNOWN = 500;
/** Requests kept of an account. */
const REQUESTS_KEPT = 50;
/** Requests in memory at most; what comes beyond is not kept. */
const REQUESTS_HELD = 20_000;

interface Kept {
  readonly id: number;
  first: boolean;
  seen: number;
  fetched: number;
  client: string;
  ip: string;
  requests: RequestRecord[];
  /** What is new of its devices, by their id. */
  devices: Map<string, Partial<Device>>;
}

/** A request as `sub_requests` keeps it. */
type RequestRecord = Readonly<Record<"userAgent" | "ip" | "format" | "hwid", string>> & {
  readonly at: number;
  readonly status: number;
};

export class FetchRecords {
  readonly #options: FetchRecordOptions;
  #kept = new Map<number, Kept>();
  #cancel: Cancel | undefined;
  /** What was taken out of memory and is neither written nor given up. */
  readonly #writing = new PQueue({ concurrency: 1 });
  /** Accounts whose first fetch is being told. */
  readonly #firsts = new Set<number>();
  /** Requests in memory. */
  #requests = 0;
  readonly #clients = new ClientNames();

  constructor(options: FetchRecordOptions) {
    this.#options = options;
  }

  note({ userId, taken, first, client, ip, format, device, hwid, status }: Fetch): void {
    const now = Math.floor(this.#options.clock.now() / 1000);
    const kept = this.#kept.get(userId) ?? newlyKept(userId);
    this.#kept.set(userId, kept);
    kept.seen = now;
    const userAgent = this.#clients.short(client);
    if (taken) {
      kept.first ||= first;
      kept.fetched = now;
      kept.client = userAgent;
      kept.ip = ip;
    }
    if (device) kept.devices.set(device.hwid, { ...said(device), lastSeenAt: now });
    if (this.#requests < REQUESTS_HELD) {
      this.#requests++;
      kept.requests.push({ at: now, ip, userAgent, format, hwid, status });
      if (kept.requests.length > REQUESTS_KEPT) kept.requests.shift();
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
    this.#requests = 0;
    if (rows.length > 0) void this.#writing.add(() => this.#write(rows).catch(this.#options.onError));
    return this.#writing.onIdle();
  }

  /**
   * One statement for all. It does not change the row's version: an editor of the account does not depend on these
   * fields.
   */
  async #write(rows: readonly Kept[]): Promise<void> {
    const { commits, reads } = this.#options;
    const json = JSON.stringify(rows.map(({ id, seen, fetched, client, ip }) => ({ id, seen, fetched, client, ip })));
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
      ...deviceStatements(reads, rows),
      ...requestStatements(reads, rows),
    ];
    // What is written here shows in no subscription, but that an account was fetched at all.
    const firsts = rows.filter(({ first }) => first).map(({ id }) => id);
    await commits.execute({
      name: "subscription.fetches",
      statements,
      facts: new Facts().add(ACCOUNTS_COUNTED, firsts),
    });
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

/** Programs are few: what one calls itself is shortened once. */
class ClientNames {
  readonly #short = new Map<string, string>();

  short(client: string): string {
    let short = this.#short.get(client);
    if (short === undefined) {
      short = shortText(client, CLIENT_LENGTH);
      if (this.#short.size >= CLIENTS_KNOWN) this.#short.clear();
      if (client.length <= CLIENT_LENGTH) this.#short.set(client, short);
    }
    return short;
  }
}

/** What a device says this time: what it leaves out stays as it was. */
function said(device: DeviceClaim): Partial<Device> {
  return Object.fromEntries(Object.entries(device).filter(([, text]) => text !== ""));
}

function newlyKept(id: number): Kept {
  return { id, first: false, seen: 0, fetched: 0, client: "", ip: "", requests: [], devices: new Map() };
}

/** What is known of devices that have their places: written into their account's row, and no place is given by it. */
function deviceStatements(reads: Reader, rows: readonly Kept[]): Statement[] {
  const seen = rows.filter(({ devices }) => devices.size > 0);
  if (seen.length === 0) return [];
  const json = JSON.stringify(seen.map(({ id, devices }) => ({ id, seen: Object.fromEntries(devices) })));
  const update =
    reads.dialect === "sqlite"
      ? sql`update user_devices set devices = (
          select json_group_array(json_patch(d.value, coalesce((select s.value from json_each(v.seen) s where s.key = d.value ->> 'hwid'), '{}')))
          from json_each(user_devices.devices) d)
        from (select value ->> 'id' as id, value -> 'seen' as seen from json_each(${json})) v where user_devices.id = v.id`
      : sql`update user_devices set devices = (
          select coalesce(jsonb_agg(d.value || coalesce(v.seen -> (d.value ->> 'hwid'), '{}'::jsonb) order by d.ordinality), '[]'::jsonb)
          from jsonb_array_elements(user_devices.devices) with ordinality d)
        from jsonb_to_recordset(${json}::jsonb) v(id bigint, seen jsonb) where user_devices.id = v.id`;
  return [reads.statement("devices", update)];
}

/** The requests, and away with what is older than the last of each account. */
function requestStatements(reads: Reader, rows: readonly Kept[]): Statement[] {
  const requests = rows.flatMap(({ id, requests: own }) => own.map((request) => ({ userId: id, ...request })));
  if (requests.length === 0) return [];
  const json = JSON.stringify(requests);
  const ids = JSON.stringify(rows.map(({ id }) => id));
  const columns = sql`insert into sub_requests (user_id, at, ip, user_agent, format, hwid, status)`;
  // An account that was deleted meanwhile leaves nothing behind.
  const insert =
    reads.dialect === "sqlite"
      ? sql`${columns} select value ->> 'userId', value ->> 'at', value ->> 'ip', value ->> 'userAgent', value ->> 'format', value ->> 'hwid', value ->> 'status'
          from json_each(${json}) where exists (select 1 from users where id = value ->> 'userId')`
      : sql`${columns} select "userId", at, ip, "userAgent", format, hwid, status
          from json_to_recordset(${json}::json) v("userId" bigint, at bigint, ip text, "userAgent" text, format text, hwid text, status bigint)
          where exists (select 1 from users where id = "userId")`;
  // The oldest that stays is looked up once for each account, not for each of its requests.
  const oldest = (user: string) =>
    sql.raw(
      `select r.id from sub_requests r where r.user_id = ${user} order by r.id desc limit 1 offset ${REQUESTS_KEPT}`,
    );
  const beyond =
    reads.dialect === "sqlite"
      ? sql`select s.id from json_each(${ids}) v cross join sub_requests s where s.user_id = v.value and s.id <= (${oldest("v.value")})`
      : sql`select s.id from json_array_elements_text(${ids}::json) v cross join lateral (${oldest("v.value::bigint")}) o
          join sub_requests s on s.user_id = v.value::bigint and s.id <= o.id`;
  const trim = sql`delete from sub_requests where id in (${beyond})`;
  return [reads.statement("requests", insert), reads.statement("older requests", trim)];
}
