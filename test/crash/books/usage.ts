// The counters of the panel against what the agents' ledgers say they counted: exact to the millionth of a byte, with
// every node's multiplier.
import type { Report } from "../../e2e/fleet.ts";
import { addressOf } from "../../e2e/fleet.ts";
import { MULTIPLIERS } from "../setup.ts";
import type { Query } from "./disk.ts";

const MICRO = 1_000_000n;

interface Counters {
  readonly id: number;
  readonly total_up: number;
  readonly total_down: number;
  readonly up_rest: number;
  readonly down_rest: number;
}

/** What differs, for the users that there are. Empty once everything that the agents hold is acknowledged. */
export async function usageDifferences(query: Query, report: Report): Promise<string[]> {
  const expected = new Map<number, { up: bigint; down: bigint }>();
  for (const [index, multiplier] of MULTIPLIERS.entries()) {
    const micros = BigInt(Math.round(multiplier * Number(MICRO)));
    for (const [id, { up, down }] of Object.entries(report.nodes[addressOf(index)]?.users ?? {})) {
      const sum = expected.get(Number(id)) ?? { up: 0n, down: 0n };
      expected.set(Number(id), { up: sum.up + BigInt(up) * micros, down: sum.down + BigInt(down) * micros });
    }
  }
  const rows = await query<Counters>("select id, total_up, total_down, up_rest, down_rest from user_usage");
  return rows.flatMap((row) => {
    const want = expected.get(row.id) ?? { up: 0n, down: 0n };
    const have = {
      up: BigInt(row.total_up) * MICRO + BigInt(row.up_rest),
      down: BigInt(row.total_down) * MICRO + BigInt(row.down_rest),
    };
    return want.up === have.up && want.down === have.down
      ? []
      : [`user ${row.id}: agents ${want.up}/${want.down}, panel ${have.up}/${have.down}`];
  });
}
