// When sessions and tokens were last used: kept in memory, written together every few seconds, a row at most once a
// minute.
import type { Committer } from "../../db/index.ts";
import { ApiTokenRows, SessionRows, type ApiTokenRow, type SessionRow } from "../records/credential.entity.ts";

const FLUSH = 5000;
/** Seconds for which a further use is not written. */
export const UNWRITTEN = 60;
const KEPT = 2 * UNWRITTEN;

/** Seconds that a session lives without use (rule access.session.2). */
export function sessionLifetime(remember: boolean): number {
  return remember ? 30 * 86_400 : 86_400;
}

interface Use {
  readonly at: number;
  readonly ip: string;
}

export class Activity {
  readonly #commits: Committer;
  readonly #now: () => number;
  readonly #onError: (error: unknown) => void;
  readonly #sessions = new Map<number, Use>();
  readonly #tokens = new Map<number, Use>();
  #due = false;
  readonly #timer: NodeJS.Timeout;

  constructor(commits: Committer, now: () => number, onError: (error: unknown) => void) {
    this.#commits = commits;
    this.#now = now;
    this.#onError = onError;
    this.#timer = setInterval(() => void this.flush().catch(onError), FLUSH);
    this.#timer.unref();
  }

  /** Notes a use of a session. */
  session(row: SessionRow, ip: string): void {
    this.#note(this.#sessions, row.id, ip, row.lastSeenAt);
  }

  /** Notes a use of a token. */
  token(row: ApiTokenRow, ip: string): void {
    this.#note(this.#tokens, row.id, ip, row.lastUsedIp === ip ? row.lastUsedAt : 0);
  }

  /** When a session was last used, Unix seconds; what is not written yet included. */
  lastSeen(row: SessionRow): number {
    return Math.max(row.lastSeenAt, this.#sessions.get(row.id)?.at ?? 0);
  }

  lastUse(row: ApiTokenRow): { readonly at: number; readonly ip: string } {
    const use = this.#tokens.get(row.id);
    return use && use.at >= row.lastUsedAt ? use : { at: row.lastUsedAt, ip: row.lastUsedIp };
  }

  /**
   * Writes what is due: uses a minute after what is written, and any that is older than `recent` (Unix seconds) and
   * about to be forgotten.
   */
  async flush(recent = Math.floor(this.#now() / 1000) - KEPT): Promise<void> {
    if (!this.#due) return;
    this.#due = false;
    const isDue = (at: number, written: number) => at >= written + UNWRITTEN || (at > written && at < recent);
    const sessions = [...this.#sessions];
    const tokens = [...this.#tokens];
    await this.#commits.submit({
      name: "access.activity",
      locks: [],
      decide: (draft) => {
        for (const row of draft.findAll(SessionRows, [...new Set(sessions.map(([id]) => id))])) {
          const use = this.#sessions.get(row.id);
          if (!use || !isDue(use.at, row.lastSeenAt)) continue;
          draft.update(SessionRows, row.id, {
            lastSeenAt: use.at,
            ip: use.ip,
            expiresAt: use.at + sessionLifetime(row.remember),
          });
        }
        for (const row of draft.findAll(ApiTokenRows, [...new Set(tokens.map(([id]) => id))])) {
          const use = this.#tokens.get(row.id);
          if (use && (isDue(use.at, row.lastUsedAt) || use.ip !== row.lastUsedIp))
            draft.update(ApiTokenRows, row.id, { lastUsedAt: use.at, lastUsedIp: use.ip });
        }
      },
    });
    this.#forget(recent);
  }

  /** Writes the rest; for shutdown. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#due = this.#sessions.size + this.#tokens.size > 0;
    await this.flush(Number.POSITIVE_INFINITY).catch(this.#onError);
  }

  #note(uses: Map<number, Use>, id: number, ip: string, written: number): void {
    const at = Math.floor(this.#now() / 1000);
    uses.set(id, { at, ip });
    if (at >= written + UNWRITTEN) this.#due = true;
  }

  /** Uses of the last minutes are kept: they may be newer than what is written. */
  #forget(recent: number): void {
    for (const uses of [this.#sessions, this.#tokens])
      for (const [id, use] of uses) if (use.at < recent) uses.delete(id);
  }
}
