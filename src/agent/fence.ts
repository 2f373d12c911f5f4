// The fence: the highest lease token that a panel has shown. It is on disk before it is honoured, so that no restart of
// the agent lets an older holder in again.
//
// A disk that refuses must not keep the panel from its node: then the token holds in memory, `behind` says so, and it
// is written down as soon as the disk takes it.
import { readFile } from "node:fs/promises";
import { z } from "zod";
import { hasCode, writeDurably } from "./durable-file.ts";

/**
 * Tokens are compared within one panel (its trust anchor's fingerprint) and one of its nodes only: another panel counts
 * its own leases, from the start, and so does every shard of a panel: a node that takes an agent over from another node
 * may show a smaller one.
 */
export interface Fence {
  /** Highest token seen of this node of this panel, 0 when none was. */
  seen(panel: string, nodeId: number): number;
  /** Resolves once the token is as durable as this fence is, for now. */
  raise(panel: string, nodeId: number, token: number): Promise<void>;
}

export interface FenceFile extends Fence {
  /** True while the disk refuses the token that holds: a restart would let an older holder in. */
  readonly behind: boolean;
  /** Tries again to write down what is behind. Never rejects. */
  mend(): Promise<void>;
}

/** `nodeId` is missing where an older agent wrote it: then the token is of whatever node asks. */
const Stored = z.object({ panel: z.string(), nodeId: z.int().positive().optional(), token: z.int().nonnegative() });
type Held = z.infer<typeof Stored>;

const NOTHING_SEEN: Held = { panel: "", token: 0 };

function tokenOf(held: Held, panel: string, nodeId: number): number {
  return panel === held.panel && (held.nodeId ?? nodeId) === nodeId ? held.token : 0;
}

/** A fence in a file. Rejects naming the file when it cannot be read. */
export async function openFence(
  path: string,
  onProblem: (problem: string, error?: unknown) => void = () => undefined,
): Promise<FenceFile> {
  let held = NOTHING_SEEN;
  let behind = false;
  try {
    held = Stored.parse(JSON.parse(await readFile(path, "utf8")));
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw new Error(`${path} cannot be read`, { cause: error });
  }
  /** One write at a time: they share the file that is renamed into place. */
  let last = Promise.resolve();
  const write = (): Promise<void> => (last = last.then(writeHeld));
  const writeHeld = async (): Promise<void> => {
    const writing = held;
    try {
      await writeDurably(path, `${JSON.stringify(writing)}\n`);
      // Another call raised it in the meantime: that call writes next.
      if (writing === held) behind = false;
    } catch (error) {
      if (!behind)
        onProblem("the fence could not be written down; a restart would let an older panel process in", error);
      behind = true;
    }
  };
  return {
    seen: (panel, nodeId) => tokenOf(held, panel, nodeId),
    get behind() {
      return behind;
    },
    async raise(panel, nodeId, token) {
      held = { panel, nodeId, token };
      await write();
    },
    async mend() {
      if (behind) await write();
    },
  };
}

/** A fence that ends with the process, for nodes that have no disk. */
export function memoryFence(): Fence {
  let stored = NOTHING_SEEN;
  return {
    seen: (panel, nodeId) => tokenOf(stored, panel, nodeId),
    raise: (panel, nodeId, token) => {
      stored = { panel, nodeId, token };
      return Promise.resolve();
    },
  };
}
