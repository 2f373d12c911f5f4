// The fence: the highest lease token that a panel has shown. It is on disk before it is honoured, so that no restart of the agent lets an older holder in again.
import { readFile } from "node:fs/promises";
import { z } from "zod";
import { hasCode, writeDurably } from "./durable-file.ts";

/** Tokens are compared within one panel (its trust anchor's fingerprint) only: another panel counts its own leases, from the start. */
export interface Fence {
  /** Highest token seen of this panel, 0 when none was. */
  seen(panel: string): number;
  /** Resolves once the token is as durable as this fence is. */
  raise(panel: string, token: number): Promise<void>;
}

const Stored = z.object({ panel: z.string(), token: z.int().nonnegative() });

/** A fence in a file. Rejects naming the file when it cannot be read. */
export async function openFence(path: string): Promise<Fence> {
  let stored = { panel: "", token: 0 };
  try {
    stored = Stored.parse(JSON.parse(await readFile(path, "utf8")));
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw new Error(`${path} cannot be read`, { cause: error });
  }
  return {
    seen: (panel) => (panel === stored.panel ? stored.token : 0),
    async raise(panel, token) {
      const next = { panel, token };
      await writeDurably(path, `${JSON.stringify(next)}\n`);
      stored = next;
    },
  };
}

/** A fence that ends with the process, for nodes that have no disk. */
export function memoryFence(): Fence {
  let stored = { panel: "", token: 0 };
  return {
    seen: (panel) => (panel === stored.panel ? stored.token : 0),
    raise: (panel, token) => {
      stored = { panel, token };
      return Promise.resolve();
    },
  };
}
