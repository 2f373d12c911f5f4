// The fence: the highest lease token that a panel has shown. It is on disk before it is honoured, so that no restart of the agent lets an older holder in again.
//
// A disk that refuses must not keep the panel from its node: then the token holds in memory, `behind` says so, and it is written down as soon as the disk takes it.
import { readFile } from "node:fs/promises";
import { z } from "zod";
import { hasCode, writeDurably } from "./durable-file.ts";

/** Tokens are compared within one panel (its trust anchor's fingerprint) only: another panel counts its own leases, from the start. */
export interface Fence {
  /** Highest token seen of this panel, 0 when none was. */
  seen(panel: string): number;
  /** Resolves once the token is as durable as this fence is, for now. */
  raise(panel: string, token: number): Promise<void>;
}

export interface FenceFile extends Fence {
  /** True while the disk refuses the token that holds: a restart would let an older holder in. */
  readonly behind: boolean;
  /** Tries again to write down what is behind. Never rejects. */
  mend(): Promise<void>;
}

const Stored = z.object({ panel: z.string(), token: z.int().nonnegative() });

/** A fence in a file. Rejects naming the file when it cannot be read. */
export async function openFence(path: string, onProblem: (problem: string, error?: unknown) => void = () => undefined): Promise<FenceFile> {
  let held = { panel: "", token: 0 };
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
      // Raised again meanwhile: whoever did that writes next.
      if (writing === held) behind = false;
    } catch (error) {
      if (!behind) onProblem("the fence could not be written down; a restart would let an older panel process in", error);
      behind = true;
    }
  };
  return {
    seen: (panel) => (panel === held.panel ? held.token : 0),
    get behind() {
      return behind;
    },
    async raise(panel, token) {
      held = { panel, token };
      await write();
    },
    async mend() {
      if (behind) await write();
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
