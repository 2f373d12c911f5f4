// The ledgers that a node's agents begin: few. An agent keeps one for life; a replaced one, or one whose file was
// damaged, begins another. What counts each batch once is a row for each ledger that is kept for ever, so an agent that
// names a fresh one with every batch must not decide how many rows there are.
import { sql, type Committer, type Reader } from "../../db/index.ts";
import type { Clock } from "../../lib/clock.ts";
import { RpcErrorCode } from "../../protocol/messages.ts";
import { RpcError } from "../../protocol/rpc-error.ts";

/** Ledgers that a node may begin within a day. */
export const LEDGERS_A_DAY = 4;
const DAY_MS = 86_400_000;
/** How long a refusal holds before the database is asked again. */
const REFUSED_MS = 60_000;
/** Nodes whose ledgers are remembered. */
const NODES = 20_000;

/**
 * The node begins too many ledgers. Its usage stays on its disk; batches of this ledger are taken once a day has
 * passed.
 */
export class LedgerRefused extends RpcError {
  readonly most = LEDGERS_A_DAY;

  constructor() {
    super(
      RpcErrorCode.invalidRequest,
      `the node began ${LEDGERS_A_DAY} usage ledgers within a day: usage of a further one is not taken yet`,
    );
  }
}

interface Known {
  readonly ledgers: Set<string>;
  /** Ledgers that are being looked up. */
  readonly asked: Map<string, Promise<void>>;
  refusedAt: number;
}

export class Ledgers {
  readonly #commits: Committer;
  readonly #reads: Reader;
  readonly #clock: Pick<Clock, "now">;
  /** What this process has found out, by node. */
  readonly #known = new Map<number, Known>();

  constructor(options: { readonly commits: Committer; readonly reads: Reader; readonly clock: Pick<Clock, "now"> }) {
    this.#commits = options.commits;
    this.#reads = options.reads;
    this.#clock = options.clock;
  }

  /**
   * Resolves where batches of the ledger may be counted, in the order of the calls: a batch that came after another and
   * was counted before it would be taken for the only one. Rejects with `LedgerRefused`.
   */
  async admit(nodeId: number, bootId: string): Promise<void> {
    const known = this.#of(nodeId);
    if (known.ledgers.has(bootId)) return;
    let asking = known.asked.get(bootId);
    if (!asking) {
      asking = this.#look(known, nodeId, bootId).finally(() => known.asked.delete(bootId));
      known.asked.set(bootId, asking);
    }
    return asking;
  }

  async #look(known: Known, nodeId: number, bootId: string): Promise<void> {
    const now = this.#clock.now();
    if (Math.abs(now - known.refusedAt) < REFUSED_MS) throw new LedgerRefused();
    if (!(await this.#isStored(nodeId, bootId)) && !(await this.#begin(nodeId, bootId, now))) {
      known.refusedAt = now;
      throw new LedgerRefused();
    }
    known.ledgers.add(bootId);
  }

  #of(nodeId: number): Known {
    let known = this.#known.get(nodeId);
    if (!known) {
      if (this.#known.size >= NODES) this.#known.clear();
      this.#known.set(nodeId, (known = { ledgers: new Set(), asked: new Map(), refusedAt: -Infinity }));
    }
    return known;
  }

  /** It was begun before, or counted before beginnings were written down. */
  async #isStored(nodeId: number, bootId: string): Promise<boolean> {
    const id = `${nodeId}:${bootId}`;
    const rows = await this.#reads.query<{ id: string }>(
      sql`select id from usage_ledgers where id = ${id} union all select id from usage_cursors where id = ${id}`,
    );
    return rows.length > 0;
  }

  /**
   * Writes the beginning down; false where the node has begun enough. Two processes that do so at once may let one more
   * in.
   */
  async #begin(nodeId: number, bootId: string, now: number): Promise<boolean> {
    const [begun] = await this.#reads.query<{ number: number }>(
      sql`select count(*) as number from usage_ledgers where node_id = ${nodeId} and begun_at > ${now - DAY_MS}`,
    );
    if ((begun?.number ?? 0) >= LEDGERS_A_DAY) return false;
    const insert = sql`insert into usage_ledgers (id, node_id, begun_at) select ${`${nodeId}:${bootId}`}, id, ${now}
      from node_usage where id = ${nodeId} on conflict (id) do nothing`;
    await this.#commits.execute({
      name: "usage.ledger",
      statements: [this.#reads.statement("a ledger begins", insert)],
    });
    return true;
  }
}
