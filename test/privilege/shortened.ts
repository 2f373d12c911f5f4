// A sequence that fails, made shorter: parts of it are left out for as long as what is left fails the same way.
import type { Dialect } from "../../src/db/index.ts";
import { Campaign, type Finding } from "./campaign.ts";

/** Panels that are started for it at most. */
const TRIES = 40;

/** What a fault is apart from names and numbers. */
const kindOf = (fault: string): string => fault.replaceAll(/[\w-]*\d[\w-]*/g, "#").slice(0, 60);

export async function shortened(
  of: { readonly dialect: Dialect; readonly seed: number },
  finding: Finding,
): Promise<Finding> {
  const kind = kindOf(finding.faults[0] ?? "");
  let best = finding;
  let tries = 0;
  for (let size = Math.ceil(best.calls.length / 2); size >= 1 && tries < TRIES; size = Math.floor(size / 2)) {
    // From the front: the last call is the one that fails.
    for (let from = 0; from < best.calls.length - 1 && tries < TRIES;) {
      const replay = [...best.calls.slice(0, from), ...best.calls.slice(Math.min(from + size, best.calls.length - 1))];
      tries++;
      const { finding: found } = await Campaign.run({ ...of, goesOn: () => false, replay });
      if (found && kindOf(found.faults[0] ?? "") === kind) best = found;
      else from += size;
    }
  }
  return best;
}
