// Content as rows, by parts of 1 MiB, where several panels share a database: a panel that lacks it reads it from there.
// So no panel needs to reach or trust another one, and content stays when the panel that took it is gone. It costs the
// database each content once.
import { sql, sweepRows, type SweepStore } from "../db/index.ts";
import type { Content } from "./content.ts";
import { StagedPartRows } from "./staged.entity.ts";

export const PART_BYTES = 1024 * 1024;
/** Parts that go in one commit. */
const AT_ONCE = 16;

export class ContentRows {
  readonly #store: SweepStore;

  constructor(store: SweepStore) {
    this.#store = store;
  }

  /** Writes all of it. Parts that are there already count as written now. */
  async write(sha256: string, source: AsyncIterable<Uint8Array>): Promise<void> {
    let number = 0;
    for await (const data of inParts(source)) {
      const id = idOf(sha256, number++);
      await this.#store.commits.submit({
        name: "staged.part",
        locks: [],
        decide: (draft) => draft.upsert(StagedPartRows, { id, sha256, data, writtenAt: draft.now }),
      });
    }
  }

  /** Bytes that are there, by digest. */
  async lengths(): Promise<ReadonlyMap<string, number>> {
    const rows = await this.#store.reads.query(
      sql<{ sha256: string; bytes: number | string }>`select sha256, sum(length(data)) as bytes from staged_parts
        group by sha256`,
    );
    return new Map(rows.map(({ sha256, bytes }) => [sha256, Number(bytes)]));
  }

  /** Throws where a part is not there. */
  async *read({ sha256, size }: Content): AsyncGenerator<Uint8Array, undefined> {
    for (let number = 0; number * PART_BYTES < size; number++) {
      const part = await this.#store.reads.find(StagedPartRows, idOf(sha256, number));
      if (!part) throw new Error(`part ${number} of the staged content ${sha256} is not in the database`);
      yield part.data;
    }
  }

  /** Deletes parts that were not written since `before` (Unix milliseconds) and that no file has. */
  async sweep(before: number): Promise<void> {
    await sweepRows(this.#store, {
      name: "staged.sweep",
      table: "staged_parts",
      ids: sql`select id from staged_parts where written_at < ${before}
        and not exists (select 1 from staged_files f where f.sha256 = staged_parts.sha256) order by id`,
      atOnce: AT_ONCE,
    });
  }
}

function idOf(sha256: string, number: number): string {
  return `${sha256}.${number}`;
}

/** All but the last of them as long as a part is. */
async function* inParts(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, undefined> {
  let [waiting, length]: [Uint8Array[], number] = [[], 0];
  for await (const piece of source) {
    waiting.push(piece);
    length += piece.length;
    if (length < PART_BYTES) continue;
    const all = Buffer.concat(waiting);
    let at = 0;
    for (; length - at >= PART_BYTES; at += PART_BYTES) yield all.subarray(at, at + PART_BYTES);
    [waiting, length] = [[all.subarray(at)], length - at];
  }
  if (length > 0) yield Buffer.concat(waiting);
}
