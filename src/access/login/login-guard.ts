// Login protection (rule access.login.3): five refused attempts from one source within ten minutes ban it from signing
// in for fifteen. Attempts and bans are rows: they hold on every process and across restarts.
import { lock, sql, sweepRows, type Committer, type Draft, type Reader } from "../../db/index.ts";
import { Refusal } from "../../http/index.ts";
import { sourceKey } from "../../lib/addresses.ts";
import { Turns } from "../../lib/turns.ts";
import type { Outbox } from "../../runtime/index.ts";
import { LoginAttemptRows, type LoginAttemptRow } from "../records/change.entity.ts";

const ATTEMPTS = 5;
const WINDOW = 10 * 60;
const BAN = 15 * 60;

/** The latest end that a ban may have at `time`, Unix seconds. */
export const longestBan = (time: number): number => time + BAN;

/** One that would last longer than bans do was given before the clock was set back. */
export function isBanned({ bannedUntil }: Readonly<LoginAttemptRow>, time: number): boolean {
  return bannedUntil > time && bannedUntil <= longestBan(time);
}

/** What was refused. `username` and `stage`: a refused login, which raises `admin.login_failed`. */
export interface RefusedAttempt {
  readonly ip: string;
  /** For `panel.ip_banned`. */
  readonly reason: string;
  readonly login?: { readonly username: string; readonly stage: "password" | "mfa" };
}

export class LoginGuard {
  readonly #commits: Committer;
  readonly #reads: Reader;
  readonly #outbox: Outbox<"admin.login_failed" | "panel.ip_banned">;
  readonly #now: () => number;
  /** Attempts of one source run one at a time, so that a flood of parallel guesses is counted. */
  readonly #turns = new Turns();

  constructor(deps: {
    readonly commits: Committer;
    readonly reads: Reader;
    readonly outbox: Outbox<"admin.login_failed" | "panel.ip_banned">;
    readonly now: () => number;
  }) {
    this.#commits = deps.commits;
    this.#reads = deps.reads;
    this.#outbox = deps.outbox;
    this.#now = deps.now;
  }

  /**
   * Runs an attempt to sign in, in its source's turn. Throws 429 for a banned source. The attempt itself calls
   * `refused`.
   */
  async attempt<T>(ip: string, run: () => Promise<T>): Promise<T> {
    return this.#turns.take(sourceKey(ip), async () => {
      await this.refuseBanned(ip);
      return run();
    });
  }

  /** Throws 429 with `Retry-After` while the source is banned. */
  async refuseBanned(ip: string): Promise<void> {
    const row = await this.#reads.find(LoginAttemptRows, sourceKey(ip));
    const time = Math.floor(this.#now() / 1000);
    if (row && isBanned(row, time)) throw new Refusal("banned", { retryAfter: row.bannedUntil - time });
  }

  /** Counts a refused attempt; the one that reaches the limit bans the source. */
  async refused(attempt: RefusedAttempt): Promise<void> {
    await this.#commits.submit({
      name: "access.refused",
      locks: [lock(LoginAttemptRows, sourceKey(attempt.ip))],
      decide: (draft) => this.#count(draft, attempt),
    });
  }

  /** Forgets sources without recent attempts; for an hourly tick. */
  async prune(): Promise<void> {
    const old = Math.floor(this.#now() / 1000) - BAN - WINDOW;
    const ids = sql`select id from login_attempts where updated_at < ${old}`;
    const store = { commits: this.#commits, reads: this.#reads };
    await sweepRows(store, { name: "access.attempts.prune", table: "login_attempts", ids });
  }

  #count(draft: Draft, { ip, reason, login }: RefusedAttempt): void {
    const source = sourceKey(ip);
    const row = draft.find(LoginAttemptRows, source);
    if (login)
      this.#outbox.raise(draft, { event: "admin.login_failed", data: { ...login, ip }, subject: `ip:${source}` });
    const recent = [...(row?.refusedAt ?? []).filter((time) => time > draft.time - WINDOW), draft.time];
    const banned = recent.length >= ATTEMPTS;
    const until = draft.time + BAN;
    if (banned)
      this.#outbox.raise(draft, { event: "panel.ip_banned", data: { ip, until, reason }, subject: `ip:${source}` });
    draft.upsert(LoginAttemptRows, {
      id: source,
      refusedAt: banned ? [] : recent,
      bannedUntil: banned ? until : (row?.bannedUntil ?? 0),
      banReason: banned ? reason : (row?.banReason ?? ""),
      banAttempts: banned ? recent.length : (row?.banAttempts ?? 0),
      updatedAt: draft.time,
    });
  }
}
