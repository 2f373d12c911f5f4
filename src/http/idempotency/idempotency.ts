// Idempotency keys (rules http.key). A claim is taken before the handler runs; the answer is stored in the
// change's own transaction, only while the claim is still this request's; a refused request frees its key before it is
// answered.
import { randomUUID } from "node:crypto";
import { lock, sealPlace, type Committer, type Draft, type Liveness, type Lock, type Reader } from "../../db/index.ts";
import { sha256Hex } from "../../lib/ids.ts";
import { openSecret, sealSecret } from "../../lib/seal.ts";
import { AnswerRoom, type AnswerLimits } from "./answer-room.ts";
import { ClaimRows, type ClaimRow } from "./claims.entity.ts";
import { Refusal } from "../refusals/errors.ts";

/** Answers are replayed for a day; a claim that never finishes is free after ten minutes. */
export const KEEP_ANSWERS = 24 * 3600 * 1000;
const STUCK_AFTER = 10 * 60 * 1000;

export interface StoredAnswer {
  readonly status: number;
  readonly body: string;
}

/** What a key is bound to, and whose it is. */
export interface KeyedRequest {
  readonly caller: string;
  /** The account that it counts against. */
  readonly account: number;
  readonly key: string;
  readonly method: string;
  readonly path: string;
  /** As it was sent. */
  readonly query: string;
  /** Digest of the body's bytes as they were sent. */
  readonly bodyDigest: string;
}

/** The claim that a running request holds. */
export interface Claim {
  /** To be locked with the change. */
  readonly locks: readonly Lock[];
  /** Stores the answer with the change. Throws 409 where the claim was lost meanwhile: the change must not happen. */
  settle(draft: Draft, answer: StoredAnswer): void;
  /** Frees the key after a request that stores nothing. Resolves when a retry would be let in; never rejects. */
  release(): Promise<void>;
  /** Ends the claim after `settle` was committed. */
  finished(): void;
}

/** Either the claim, or the answer of the first request. */
export type Claimed = { readonly claim: Claim } | { readonly replay: StoredAnswer };

export interface IdempotencyOptions {
  readonly commits: Committer;
  readonly reads: Reader;
  readonly now: () => number;
  readonly boot: string;
  readonly secretKey: Uint8Array;
  /** A key could not be freed; it frees itself later. */
  readonly onError: (error: unknown) => void;
  /** Set where several processes share the database: claims are then rows, committed first. */
  readonly liveness?: Liveness;
  /** How much is kept, where it is not the usual. */
  readonly limits?: AnswerLimits | undefined;
}

function inProgress(): Refusal {
  return new Refusal("in_progress", { extra: { inProgress: true }, retryAfter: 1 });
}

export class Idempotency {
  readonly #options: IdempotencyOptions;
  readonly #room: AnswerRoom;
  /** Claims of this process, by record id: when they were taken. */
  readonly #running = new Map<string, { claim: string; fingerprint: string; at: number }>();

  constructor(options: IdempotencyOptions) {
    this.#options = options;
    this.#room = new AnswerRoom(options);
  }

  /**
   * Claims the key of a request. Throws 409 while the first request runs (`inProgress`) and for a key that was used
   * otherwise (`idempotency_reuse`) or whose answer is gone (`answer_gone`), and 429 for a new one too many.
   */
  async claim(request: KeyedRequest, sealed: boolean): Promise<Claimed> {
    const id = sha256Hex(`${request.caller}\n${request.key}`);
    const fingerprint = sha256Hex(
      [request.method, request.path, sha256Hex(request.query), request.bodyDigest].join("\n"),
    );
    const { liveness } = this.#options;
    const { account } = request;
    const mine: Holder = { id, account, fingerprint, claim: randomUUID(), sealed, size: 0 };
    await this.#room.ready(account);
    const holder = this.#claimHere(mine);
    if (holder !== undefined) return { replay: await this.#answeredMeanwhile(mine, holder) };
    try {
      await this.#refuseNew(mine);
      const stored =
        liveness === undefined ? await this.#options.reads.find(ClaimRows, id) : await this.#claimRow(mine, liveness);
      const answer = stored === undefined ? undefined : this.#answerOf(stored, mine);
      if (answer === undefined) return { claim: this.#claimOf(mine, liveness !== undefined) };
      this.#freeHere(mine);
      return { replay: answer };
    } catch (error) {
      this.#freeHere(mine);
      throw error;
    }
  }

  /** Deletes answers past their day; for an hourly tick. */
  async prune(): Promise<void> {
    await this.#room.prune(this.#options.now() - KEEP_ANSWERS);
  }

  /** Nothing is done in the background any more. */
  async close(): Promise<void> {
    await this.#room.idle();
  }

  /** Where an account has too many keys, those that are known are answered all the same. */
  async #refuseNew({ id, account }: Holder): Promise<void> {
    if (this.#room.isRefused(account) && !(await this.#options.reads.find(ClaimRows, id))) this.#room.refuse();
  }

  /** Takes the key in this process, or gives back the fingerprint of the request that has it. */
  #claimHere({ id, fingerprint, claim }: Holder): string | undefined {
    const at = this.#options.now();
    const running = this.#running.get(id);
    if (running && at - running.at < STUCK_AFTER) return running.fingerprint;
    this.#running.set(id, { claim, fingerprint, at });
    return undefined;
  }

  /**
   * Two repeats may arrive at one moment: the second finds the first looking the answer up. The answer is stored then,
   * and both replay it.
   */
  async #answeredMeanwhile(mine: Holder, holder: string): Promise<StoredAnswer> {
    const stored = await this.#options.reads.find(ClaimRows, mine.id);
    const answer = stored && this.#answerOf(stored, mine);
    if (answer) return answer;
    throw holder === mine.fingerprint ? inProgress() : new Refusal("idempotency_reuse");
  }

  #freeHere({ id, claim }: Holder): void {
    if (this.#running.get(id)?.claim === claim) this.#running.delete(id);
  }

  /** The stored answer under a record; undefined where the record is past its day or, claimed by nobody, void. */
  #answerOf(row: Readonly<ClaimRow>, mine: Holder): StoredAnswer | undefined {
    if (row.state !== "done" || this.#options.now() - row.claimedAt >= KEEP_ANSWERS) return undefined;
    if (row.fingerprint !== mine.fingerprint) throw new Refusal("idempotency_reuse");
    if (row.status === 0) throw new Refusal("answer_gone");
    const body = mine.sealed
      ? openSecret(this.#options.secretKey, row.body, sealPlace(ClaimRows, "body", row.id))
      : row.body;
    return { status: row.status, body };
  }

  /**
   * Commits the claim as a row. Resolves to the stored record where there is an answer, to undefined when the claim is
   * taken.
   */
  async #claimRow(mine: Holder, liveness: Liveness): Promise<Readonly<ClaimRow> | undefined> {
    const { commits, boot } = this.#options;
    let dead = "";
    for (;;) {
      const found = await commits.submit({
        name: "http.claim",
        locks: [lock(ClaimRows, mine.id)],
        decide: (draft) => {
          const row = draft.find(ClaimRows, mine.id);
          const age = row === undefined ? Infinity : draft.now - row.claimedAt;
          if (row?.state === "done" && age < KEEP_ANSWERS) return row;
          if (row?.state === "running" && row.boot !== dead && row.boot !== boot && age < STUCK_AFTER) return row;
          const { id, account, fingerprint, claim } = mine;
          draft.upsert(ClaimRows, {
            id,
            account,
            size: 0,
            fingerprint,
            claim,
            boot,
            state: "running",
            claimedAt: draft.now,
            status: 0,
            body: "",
          });
          return undefined;
        },
      });
      if (found?.state !== "running") return found;
      if (await liveness.isAlive(found.boot))
        throw found.fingerprint === mine.fingerprint ? inProgress() : new Refusal("idempotency_reuse");
      dead = found.boot;
    }
  }

  #claimOf(mine: Holder, shared: boolean): Claim {
    const { id, account, fingerprint, claim, sealed } = mine;
    const { boot, secretKey, commits, onError } = this.#options;
    const locks = shared ? [lock(ClaimRows, id)] : [];
    return {
      locks,
      settle: (draft, { status, body }) => {
        const holder = shared ? draft.find(ClaimRows, id)?.claim : this.#running.get(id)?.claim;
        if (holder !== claim) throw inProgress();
        const kept = sealed ? sealSecret(secretKey, body, sealPlace(ClaimRows, "body", id)) : body;
        mine.size = Buffer.byteLength(kept);
        draft.upsert(ClaimRows, {
          id,
          account,
          size: mine.size,
          fingerprint,
          claim,
          boot,
          state: "done",
          claimedAt: draft.now,
          status,
          body: kept,
        });
      },
      release: async () => {
        this.#freeHere(mine);
        if (!shared) return;
        // The request's own refusal is what the caller must hear, also when the key cannot be freed.
        const released = commits.submit({
          name: "http.release",
          locks,
          decide: (draft) => {
            const row = draft.find(ClaimRows, id);
            if (row?.claim === claim && row.state === "running") draft.delete(ClaimRows, id);
          },
        });
        await released.catch(onError);
      },
      finished: () => {
        this.#freeHere(mine);
        this.#room.stored(account, mine.size);
      },
    };
  }
}

interface Holder {
  readonly id: string;
  readonly account: number;
  readonly fingerprint: string;
  readonly claim: string;
  readonly sealed: boolean;
  /** Bytes of the answer, once it is known. */
  size: number;
}
