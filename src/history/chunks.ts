// What a counting transaction writes of the traffic that it counts: rows one after the other, packed, in blocks of at
// most 64 KiB. Nothing is looked up and nothing is changed in place; `fold.ts` sorts it later.
//
//   section: quarter of an hour, node, rows
//   row:     account (difference to the one before), inbound, up, down
import { quarterOf } from "./periods.ts";
import { ByteReader, ByteWriter, folded, unfolded } from "./varints.ts";

export const CHUNK_BYTES = 65_536;
/** A row takes at most so many bytes, a section's head as many. */
const MOST_ROW = 4 * 8;
const CELLS = 5;

/** A node's rows that count, one after the other: account, inbound, up, down, Unix second of the last traffic. */
export interface NodeRows {
  readonly nodeId: number;
  readonly batch: { readonly rows: Float64Array };
}

/**
 * A batch names no more quarters of an hour than this, and the rest of its rows are of the last of them: a node that
 * lies about time would otherwise make the panel touch every hour that is kept.
 */
export const QUARTERS_OF_A_BATCH = 192;

/**
 * The chunks of a transaction. `earliest`, `latest`: Unix seconds between which all traffic is taken to be, whatever a
 * node says.
 */
export function chunksOf(batches: readonly NodeRows[], earliest: number, latest: number): Uint8Array<ArrayBuffer>[] {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  const all = new ByteWriter(CHUNK_BYTES);
  const section = new ByteWriter();
  for (const { nodeId, batch } of batches) {
    for (const [quarter, at] of sectionsOf(batch.rows, quarterOf(earliest), quarterOf(latest))) {
      let [count, last] = [0, 0];
      const close = () => {
        if (count === 0) return;
        all.put(quarter);
        all.put(nodeId);
        all.put(count);
        all.append(section);
        section.clear();
        [count, last] = [0, 0];
      };
      for (const row of at) {
        if (all.length + section.length > CHUNK_BYTES - 2 * MOST_ROW) {
          close();
          chunks.push(all.bytes());
          all.clear();
        }
        const account = batch.rows[row] ?? 0;
        section.put(folded(account - last));
        section.put(batch.rows[row + 1] ?? 0);
        section.put(batch.rows[row + 2] ?? 0);
        section.put(batch.rows[row + 3] ?? 0);
        last = account;
        count++;
      }
      close();
    }
  }
  if (all.length > 0) chunks.push(all.bytes());
  return chunks;
}

/** Rows that moved something, by the quarter that they belong to: the index of the first cell of each. */
function sectionsOf(rows: Float64Array, earliest: number, latest: number): Map<number, number[]> {
  const sections = new Map<number, number[]>();
  let newest = 0;
  for (let at = 0; at < rows.length; at += CELLS) {
    if (rows[at + 2] === 0 && rows[at + 3] === 0) continue;
    let quarter = Math.min(latest, Math.max(earliest, quarterOf(rows[at + 4] ?? 0)));
    if (!sections.has(quarter) && sections.size >= QUARTERS_OF_A_BATCH) quarter = newest;
    const section = sections.get(quarter);
    if (section) section.push(at);
    else sections.set(quarter, [at]);
    newest = Math.max(newest, quarter);
  }
  return sections;
}

export interface ChunkRow {
  readonly quarter: number;
  readonly node: number;
  readonly account: number;
  readonly inbound: number;
  readonly up: number;
  readonly down: number;
}

/** Calls `visit` for each row of a chunk, with one object that changes. */
export function eachChunkRow(chunk: Uint8Array, visit: (row: ChunkRow) => void): void {
  const reader = new ByteReader(chunk);
  const row = { quarter: 0, node: 0, account: 0, inbound: 0, up: 0, down: 0 };
  while (!reader.done) {
    row.quarter = reader.take();
    row.node = reader.take();
    row.account = 0;
    for (let left = reader.take(); left > 0; left--) {
      row.account += unfolded(reader.take());
      row.inbound = reader.take();
      row.up = reader.take();
      row.down = reader.take();
      visit(row);
    }
  }
}
