// The nodes that serve each template, in memory: what subscriptions name. Read once at start, kept by the row changes
// of every commit.
import { sql, type Committed, type Committer, type Reader } from "../../db/index.ts";
import { NodeRows, type NodeRow } from "../records/node.entity.ts";

/** A node as a subscription needs it. */
export interface ServingNode {
  readonly id: number;
  readonly name: string;
  readonly remark: string;
  readonly address: string;
  readonly linkAddress: string;
  readonly templateId: number;
  /** Its engine speaks xtls-rprx-vision; true while the engine is not known yet. */
  readonly vision: boolean;
  /** Its engine takes many connections in one (sing-box's multiplex); false while the engine is not known yet. */
  readonly multiplex: boolean;
}

const WITHOUT_VISION: readonly string[] = ["embedded", "v2ray", "none"];
const WITH_MULTIPLEX = "sing-box";

export class ServingNodes {
  readonly #nodes = new Map<number, ServingNode>();
  readonly #stopListening: () => void;
  /** Nodes that commits changed during the first read. */
  #told: Set<number> | undefined;
  /** The nodes in id order; made again when one of them changed. */
  #sorted: readonly ServingNode[] | undefined;

  private constructor(commits: Committer) {
    this.#stopListening = commits.onCommit((committed) => this.#follow(committed));
  }

  static async open(commits: Committer, reads: Reader): Promise<ServingNodes> {
    const serving = new ServingNodes(commits);
    const told = (serving.#told = new Set());
    const rows = await reads.rows(NodeRows, sql`select * from nodes where enabled and template_id is not null`);
    // What a commit told of meanwhile, here or in another process, is newer than what was read; also when it told of an
    // end.
    for (const row of rows) if (!told.has(row.id)) serving.#put(row.id, row);
    serving.#told = undefined;
    return serving;
  }

  /**
   * In id order: the order of a subscription's entries. The same array until something changes that a subscription
   * shows.
   */
  all(): readonly ServingNode[] {
    this.#sorted ??= [...this.#nodes.values()].toSorted((a, b) => a.id - b.id);
    return this.#sorted;
  }

  close(): void {
    this.#stopListening();
  }

  #follow({ changes }: Committed): void {
    for (const { table, id, after } of changes) {
      if (table !== NodeRows.name) continue;
      this.#told?.add(Number(id));
      this.#put(Number(id), after as NodeRow | undefined);
    }
  }

  /** A node's state changes often; only what a subscription shows counts as a change. */
  #put(id: number, row: NodeRow | undefined): void {
    const before = this.#nodes.get(id);
    const after = row && servingNodeOf(row);
    if (JSON.stringify(before) === JSON.stringify(after)) return;
    this.#sorted = undefined;
    if (after) this.#nodes.set(id, after);
    else this.#nodes.delete(id);
  }
}

function servingNodeOf(row: NodeRow): ServingNode | undefined {
  if (!row.enabled || row.limitDisabled || row.templateId === null) return undefined;
  const { id, name, remark, address, linkAddress, templateId, engine } = row;
  const able = { vision: !WITHOUT_VISION.includes(engine), multiplex: engine === WITH_MULTIPLEX };
  return { id, name, remark, address, linkAddress, templateId, ...able };
}
