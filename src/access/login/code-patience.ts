// Limits how fast codes of one account are checked (rule access.mfa.6), over all addresses, sessions and processes.
// Many addresses together can guess six digits before each of them is banned. So after ten wrong codes in an hour, each
// further code waits in a queue: one second at first, doubling up to thirty. This locks nobody out: a code that was
// right when it was sent is accepted when its turn comes, and addresses where the account is signed in have their own
// queue.
//
// Invariant: an attempt is counted before it is looked at, and taken back once it was right; so attempts that come at
// once know of each other.
import { setTimeout as timer } from "node:timers/promises";
import { lock, sql, type Committer, type Draft, type Reader } from "../../db/index.ts";
import { Refusal } from "../../http/index.ts";
import { sourceKey } from "../../lib/addresses.ts";
import { Turns } from "../../lib/turns.ts";
import type { AdminRow } from "../records/admin.entity.ts";
import { CodeAttemptRows, type CodeAttemptRow } from "../records/change.entity.ts";
import { loginEnded } from "./logins.queries.ts";
import { PendingLoginRows } from "../records/pending-login.entity.ts";

/** Seconds for which an attempt counts. */
export const CODES_REMEMBERED = 3600;
const FREE = 10;
const LONGEST = 30_000;
/** Milliseconds ahead that a lane is given away: what would come later is refused, to be sent again. */
const LANE = 60_000;
/** Further attempts slow nothing down any more. */
const COUNTED = 64;
/** Codes that one sign-in may be tried with. */
const PENDING_TRIES = 5;

/** Milliseconds that an attempt waits after `tried` others within the hour. */
export function patience(tried: number): number {
  return tried < FREE ? 0 : Math.min(LONGEST, 1000 * 2 ** (tried - FREE));
}

export interface PatientAttempt<T> {
  readonly account: Pick<AdminRow, "id" | "lastLoginIp">;
  readonly ip: string;
  /** Id of the sign-in that waits for the code. */
  readonly pending?: string;
  /** Looks at the code. Rejects with `wrong_code` where it is wrong. */
  readonly look: () => Promise<T>;
}

interface Deps {
  readonly commits: Committer;
  readonly reads: Reader;
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>;
}

export class CodePatience {
  readonly #deps: Deps;
  readonly #ending = new AbortController();
  /** An address can have only one running attempt per account, so it cannot fill a queue. */
  readonly #turns = new Turns();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Looks at a code in its turn. Throws 401 where the sign-in had its tries, 503 with `Retry-After` where too many
   * wait.
   */
  attempt<T>({ account, ip, pending, look }: PatientAttempt<T>): Promise<T> {
    return this.#turns.take(`${account.id} ${sourceKey(ip)}`, async () => {
      const lane = (await this.#isOwn(account, ip)) ? "knownAt" : "strangerAt";
      const { countedAt, lookAt } = await this.#count(account.id, lane, pending);
      const wait = lookAt - this.#deps.now();
      if (wait > 0) await this.#pause(wait);
      try {
        const answer = await look();
        await this.#takeBack(account.id, countedAt);
        return answer;
      } catch (error) {
        if (!(error instanceof Refusal && error.kind === "wrong_code")) await this.#takeBack(account.id, countedAt);
        throw error;
      }
    });
  }

  /** Sends away what waits; for shutdown. */
  release(): void {
    this.#ending.abort();
  }

  async #pause(ms: number): Promise<void> {
    const { signal } = this.#ending;
    try {
      await (this.#deps.pause ?? ((time) => timer(time, undefined, { signal })))(ms, signal);
    } catch (error) {
      if (signal.aborted)
        throw new Refusal("unavailable", { message: "the panel is shutting down", retryAfter: 1, cause: error });
      throw error;
    }
  }

  /** Whether the account is signed in at the address, or was last. */
  async #isOwn({ id, lastLoginIp }: PatientAttempt<unknown>["account"], ip: string): Promise<boolean> {
    const rows = await this.#deps.reads.query<{ ip: string }>(
      sql`select distinct ip from sessions where admin_id = ${id}`,
    );
    return [...rows.map((row) => row.ip), lastLoginIp].some((own) => own !== "" && sourceKey(own) === sourceKey(ip));
  }

  /** Counts an attempt and gives it its place in the lane, in Unix milliseconds. */
  #count(
    adminId: number,
    lane: "knownAt" | "strangerAt",
    pending: string | undefined,
  ): Promise<{ countedAt: number; lookAt: number }> {
    const { now } = this.#deps;
    return this.#deps.commits.submit({
      name: "access.code",
      locks: [lock(CodeAttemptRows, adminId), ...(pending === undefined ? [] : [lock(PendingLoginRows, pending)])],
      decide(draft) {
        const time = now();
        const row = rowOf(draft, adminId);
        const wait = patience(row.triedAt.length);
        // A place further ahead than any that is given away was given before the clock was set back.
        const last = row[lane] > time + LANE + LONGEST ? 0 : row[lane];
        const lookAt = wait === 0 ? time : Math.max(time, last) + wait;
        if (lookAt - time > LANE) {
          const message = "too many codes of this account wait to be looked at";
          throw new Refusal("unavailable", {
            message,
            code: "too_busy",
            retryAfter: Math.ceil((lookAt - LANE - time) / 1000),
          });
        }
        if (pending !== undefined) tryPending(draft, pending, lookAt);
        draft.upsert(CodeAttemptRows, {
          ...row,
          [lane]: lookAt,
          triedAt: [...row.triedAt, draft.time].slice(-COUNTED),
          updatedAt: draft.time,
        });
        return { countedAt: draft.time, lookAt };
      },
    });
  }

  #takeBack(adminId: number, countedAt: number): Promise<void> {
    return this.#deps.commits.submit({
      name: "access.code.right",
      locks: [lock(CodeAttemptRows, adminId)],
      decide(draft) {
        const row = draft.find(CodeAttemptRows, adminId);
        const at = row?.triedAt.indexOf(countedAt) ?? -1;
        if (row && at >= 0) draft.update(CodeAttemptRows, adminId, { triedAt: row.triedAt.toSpliced(at, 1) });
      },
    });
  }
}

/** The account's row with the attempts of the last hour. */
function rowOf(draft: Draft, adminId: number): CodeAttemptRow {
  const row = draft.find(CodeAttemptRows, adminId) ?? {
    id: adminId,
    triedAt: [],
    knownAt: 0,
    strangerAt: 0,
    updatedAt: 0,
  };
  const recent = row.triedAt.filter((time) => time > draft.time - CODES_REMEMBERED && time <= draft.time);
  return { ...row, triedAt: recent };
}

/** Counts a code of a sign-in. It may wait longer than sign-ins do; where it had its five, it has ended. */
function tryPending(draft: Draft, id: string, lookAt: number): void {
  const pending = draft.find(PendingLoginRows, id);
  if (!pending || pending.expiresAt <= draft.time || pending.tries >= PENDING_TRIES) throw loginEnded();
  const kept = Math.max(pending.expiresAt, Math.ceil(lookAt / 1000) + 10);
  draft.update(PendingLoginRows, id, { tries: pending.tries + 1, expiresAt: kept });
}
