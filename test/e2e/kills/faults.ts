// What a report of kills must not show.
import type { KillReport } from "./trial.ts";

/** What a protocol adds to its payload at most. */
const OVERHEAD = 1.02;

/** One sentence for each thing that is wrong; none when every byte was counted once and everything came back. */
export function faultsOf({ users, node, sum, warnings, exit, leftovers }: KillReport): string[] {
  const faults: string[] = [];
  for (const { name, payload, counted, mayMiss, unexplained } of users) {
    if (counted < payload - mayMiss)
      faults.push(`user ${name}: ${payload - mayMiss - counted} bytes are missing (${counted} of ${payload})`);
    if (counted > payload * OVERHEAD)
      faults.push(`user ${name}: ${counted - payload} bytes too many (${counted} for ${payload})`);
    for (const reason of unexplained) faults.push(`user ${name}: cut although no engine was killed: ${reason}`);
  }
  if (node !== sum) faults.push(`the node counted ${node}, its users ${sum}`);
  if (warnings.length > 0) faults.push(`warnings are left: ${warnings.join("; ")}`);
  if (JSON.stringify(exit) !== JSON.stringify({ code: 0, signal: null }))
    faults.push(`the panel ended with ${JSON.stringify(exit)}`);
  for (const { pid, command } of leftovers) faults.push(`process ${pid} is left: ${command}`);
  return faults;
}
