// What a counting transaction leaves: every row as it was counted, in blocks of at most 64 KiB, in hours that can be.
import { expect, test } from "vitest";
import { CHUNK_BYTES, chunksOf, eachChunkRow, QUARTERS_OF_A_BATCH } from "../../src/history/chunks.ts";
import { merged, Packer, Unpacker } from "../../src/history/packing.ts";
import { Chance } from "../simulation/chance.ts";
import { cellsOf } from "../usage-cells.ts";

const NOW = 1_800_000_000;
const MOST = Number.MAX_SAFE_INTEGER;

function rowsIn(chunks: readonly Uint8Array[]): number[][] {
  const rows: number[][] = [];
  for (const chunk of chunks)
    eachChunkRow(chunk, ({ quarter, node, account, inbound, up, down }) =>
      rows.push([quarter, node, account, inbound, up, down]),
    );
  return rows;
}

test("rows come out as they went in, in blocks of at most 64 KiB", () => {
  const chance = new Chance(3);
  const batches = Array.from({ length: 7 }, (_, node) => ({
    nodeId: node + 1,
    batch: {
      rows: cellsOf(
        Array.from({ length: 9000 }, () => [
          chance.whole(1, 10 ** 6),
          chance.whole(1, 30),
          chance.happens(0.01) ? MOST : chance.whole(1, 10 ** 6),
          chance.whole(0, 10 ** 10),
          NOW - chance.whole(0, 1700),
        ]),
      ),
    },
  }));
  const chunks = chunksOf(batches, 0, NOW);
  expect(Math.max(...chunks.map(({ length }) => length))).toBeLessThanOrEqual(CHUNK_BYTES);
  const went = batches.flatMap(({ nodeId, batch: { rows } }) =>
    Array.from({ length: rows.length / 5 }, (_, row) => {
      const [account = 0, inbound = 0, up = 0, down = 0, at = 0] = rows.subarray(5 * row, 5 * row + 5);
      return [Math.floor(at / 900), nodeId, account, inbound, up, down];
    }),
  );
  const order = (rows: number[][]) => rows.map((row) => row.join(" ")).toSorted();
  expect(order(rowsIn(chunks))).toEqual(order(went));
});

// rule usage.history.10
test("a batch of odd times is of few hours, none of them in the future, and loses no byte", () => {
  const odd = [0, NOW - 10 ** 8, NOW + 10 ** 6, MOST, ...Array.from({ length: 3000 }, (_, at) => NOW - at * 900)];
  const batch = { rows: cellsOf(odd.map((at) => [1, 1, 1, 0, at])) };
  const rows = rowsIn(chunksOf([{ nodeId: 1, batch }], NOW - 35 * 86_400, NOW));
  const quarters = rows.map(([quarter = 0]) => quarter);
  expect(rows).toHaveLength(odd.length);
  expect(new Set(quarters).size).toBeLessThanOrEqual(QUARTERS_OF_A_BATCH);
  expect(Math.max(...quarters)).toBe(Math.floor(NOW / 900));
  expect(Math.min(...quarters)).toBe(Math.floor((NOW - 35 * 86_400) / 900));
});

test("merged sums are both, in order, and stop at the largest exact number", () => {
  const pack = (sums: readonly (readonly [number, number, number, number])[]) => {
    const packer = new Packer();
    for (const sum of sums) packer.add(...sum);
    return packer.bytes();
  };
  const one = pack([
    [0, 5, 1, 2],
    [7, 1, MOST, 3],
    [7, 9, 1, 1],
  ]);
  const other = pack([
    [0, 4, 1, 1],
    [7, 1, 5, 4],
    [8, 2, 1, 0],
  ]);
  const found: number[][] = [];
  const sums = new Unpacker(merged(one, other));
  while (sums.next()) found.push([sums.group, sums.member, sums.up, sums.down]);
  expect(found).toEqual([
    [0, 4, 1, 1],
    [0, 5, 1, 2],
    [7, 1, MOST, 7],
    [7, 9, 1, 1],
    [8, 2, 1, 0],
  ]);
  expect(merged(new Uint8Array(0), one)).toEqual(one);
});
