// Whether the machine lets the agent keep a port map: nft must be there and new enough, the kernel must have what the
// rules need, and the agent the right to change them. Only trying tells.
import { randomBytes } from "node:crypto";
import { nft } from "./nft.ts";
import { EMPTY, speedChange, speedDeclaration, speedState } from "./speed-table.ts";
import { adding, closedChange, declaration, mappingChange } from "./table.ts";

/**
 * Makes a whole port map under another name and takes it away again, in one transaction: nothing is left whatever
 * happens. Resolves to a sentence that says why it cannot be, undefined when it can. Never throws.
 */
export async function portMapObjection(): Promise<string | undefined> {
  const table = `inet signalbox_probe_${randomBytes(6).toString("hex")}`;
  const mappings = [
    { listen: "", port: 1, networks: ["tcp", "udp"] as const, inner: 2 },
    { listen: "127.0.0.1", port: 1, networks: ["tcp"] as const, inner: 2 },
    { listen: "::1", port: 1, networks: ["udp"] as const, inner: 2 },
  ];
  const drop = adding(table, "drop4", ["127.0.0.1 . 1 . 2 timeout 1s"]);
  return objectionTo(
    "port map",
    `${declaration(table)}${mappingChange(table, mappings)}${closedChange(table, [2])}${drop}delete table ${table}\n`,
  );
}

/** The same for the table of speed limits. */
export async function speedLimitObjection(): Promise<string | undefined> {
  const table = `inet signalbox_probe_${randomBytes(6).toString("hex")}`;
  const state = speedState(new Map([[1, 1000]]), [{ userId: 1, localPort: 1, address: "127.0.0.1", port: 2 }], EMPTY);
  return objectionTo(
    "speed limits",
    `${speedDeclaration(table)}${speedChange(table, EMPTY, state)}delete table ${table}\n`,
  );
}

/** Never throws. */
async function objectionTo(what: string, script: string): Promise<string | undefined> {
  try {
    await nft(script);
    return undefined;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (/not permitted|permission denied|must be root/i.test(reason))
      return `The agent may not keep the kernel's ${what}: it needs the capability CAP_NET_ADMIN (${reason}).`;
    if (/not installed/.test(reason)) return `There cannot be ${what}: ${reason}.`;
    return `The kernel or nft does not take the rules of the ${what} (${reason}).`;
  }
}
