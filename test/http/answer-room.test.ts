// What an account may pile up under idempotency keys: bytes of answers, and keys.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sql } from "../../src/db/index.ts";
import type { AnswerLimits } from "../../src/http/idempotency/answer-room.ts";
import { ClaimRows } from "../../src/http/idempotency/claims.entity.ts";
import { Idempotency, KEEP_ANSWERS } from "../../src/http/idempotency/idempotency.ts";
import { sha256Hex } from "../../src/lib/ids.ts";
import { dialects, openTestDatabase, type TestDatabase } from "../database.ts";

const KIB = 1024;
const LIMITS: AnswerLimits = {
  account: 100 * KIB,
  all: 250 * KIB,
  keys: 60,
  allKeys: 10_000,
  look: 10 * KIB,
  lookAll: 20 * KIB,
};

describe.each(dialects)("room for answers on %s", (dialect) => {
  let db: TestDatabase;
  const clock = { now: 0 };
  /** The keys of two processes, where there can be two. */
  let processes: Idempotency[];
  const errors: unknown[] = [];
  const opened = (limits: AnswerLimits): Idempotency[] =>
    Array.from({ length: dialect === "postgresql" ? 2 : 1 }, (_, at) => {
      const { commits, reads } = db;
      const options = {
        commits,
        reads,
        now: () => clock.now,
        boot: `boot-${at}`,
        secretKey: new Uint8Array(32),
        limits,
      };
      const onError = (error: unknown) => void errors.push(error);
      const liveness = dialect === "postgresql" ? { liveness: { isAlive: async () => true } } : {};
      return new Idempotency({ ...options, onError, ...liveness });
    });
  beforeEach(async () => {
    clock.now = Date.now();
    db = await openTestDatabase(dialect, [ClaimRows], () => clock.now);
    processes = opened(LIMITS);
  });
  afterEach(async () => {
    for (const process of processes) await process.close();
    expect(errors.splice(0)).toEqual([]);
    await db.dispose();
  });

  let count = 0;
  const send = async (account: number, key: string, bytes = 1000, sealed = false) => {
    const process = processes[count++ % processes.length];
    if (!process) throw new Error("no process");
    const request = {
      caller: `admin:${account}`,
      account,
      key,
      method: "POST",
      path: "/x",
      query: "",
      bodyDigest: sha256Hex(""),
    };
    const claimed = await process.claim(request, sealed);
    if ("replay" in claimed) return claimed.replay.body.length;
    const { claim } = claimed;
    await db.commits.submit({
      name: "change",
      locks: claim.locks,
      decide: (draft) => claim.settle(draft, { status: 200, body: "x".repeat(bytes) }),
    });
    claim.finished();
    clock.now++;
    return "done";
  };
  const kept = async (account?: number): Promise<{ bytes: number; keys: number }> => {
    const [row] = await db.reads.query<Record<"bytes" | "keys", number | string>>(
      sql`select coalesce(sum(length(body)), 0) as bytes, count(*) as keys from idempotency_records
        ${account === undefined ? sql`` : sql`where account = ${account}`}`,
    );
    return { bytes: Number(row?.bytes), keys: Number(row?.keys) };
  };
  /** What each process may store before it looks. */
  const beyond = () => processes.length * LIMITS.look + 10 * KIB;

  // rule http.key.10
  test("answers are bounded by bytes: the oldest go, and their repeats are told so, never carried out again", async () => {
    for (let index = 0; index < 50; index++) {
      expect(await send(1, `k${index}`, 5 * KIB, index % 2 === 0)).toBe("done");
      await expect.poll(async () => (await kept(1)).bytes).toBeLessThan(LIMITS.account + beyond());
    }
    expect((await kept(1)).keys).toBe(50);
    // What was sent last is replayed, whatever was sent before.
    for (const index of [45, 46, 47, 48, 49]) expect(await send(1, `k${index}`, 0, index % 2 === 0)).toBe(5 * KIB);
    for (const index of [0, 1, 2]) await expect(send(1, `k${index}`)).rejects.toMatchObject({ kind: "answer_gone" });
  });

  // rule http.key.10
  test("so are they of all accounts together: those that have most give way, the others keep theirs", async () => {
    expect(await send(99, "small", 3 * KIB)).toBe("done");
    for (let index = 0; index < 10; index++)
      for (let account = 1; account <= 6; account++) await send(account, `k${index}`, 9 * KIB);
    await expect.poll(async () => (await kept()).bytes).toBeLessThan(LIMITS.all + processes.length * LIMITS.lookAll);
    expect(await send(99, "small")).toBe(3 * KIB);
    for (let account = 1; account <= 6; account++) expect(await send(account, "k9")).toBe(9 * KIB);
  });

  // rule http.key.10
  test("past so many keys new ones are refused until old ones had their day; known ones are answered", async () => {
    const refusalOf = (made: number) =>
      send(1, `k${made}`, 1).then(
        () => undefined,
        (error: unknown) => error,
      );
    let refused: unknown;
    for (let made = 0; made < 200; made++) {
      refused = await refusalOf(made);
      if (refused !== undefined) break;
    }
    expect(refused).toMatchObject({ kind: "rate_limited", detail: { retryAfter: 60 } });
    // Each process stores so many more while it looks, and as many before a look that sees them.
    const more = processes.length * 2 * (LIMITS.look / 512 + 1);
    expect((await kept(1)).keys).toBeLessThan(LIMITS.keys + more);
    await expect(send(1, "another")).rejects.toMatchObject({ kind: "rate_limited" });
    expect(await send(1, "k0")).toBe(1);
    expect(await send(2, "k0")).toBe("done");
    clock.now += KEEP_ANSWERS + 1;
    for (const process of processes) await process.prune();
    expect(await kept()).toEqual({ bytes: 0, keys: 0 });
    // A look that was under way may have refused once more.
    await expect.poll(() => ((clock.now += 60_000), send(1, "another").catch(String))).toBe("done");
  });
});
