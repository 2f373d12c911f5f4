// The operator of the demo: switches simulated nodes off and on and renews accounts that ran out, over the API like any
// integration, so that the fleet stays alive.
import { setInterval } from "node:timers/promises";
import type { Panel } from "../../client/index.ts";

const SWITCH_MS = 15_000;
const RENEW_MS = 10_000;
/** Seconds. */
const SOON = 300;
const EXHAUSTED = ["disabled.volume", "disabled.expiry"] as const;

/**
 * `shown`: the id of the account that the visitor is told to look at, which stays as it was said to be for as long as
 * the demo runs. Runs until the signal. Never rejects: a request that fails (a visitor may have deleted the record) is
 * told to `onProblem` and the round goes on.
 */
export async function runRoutine(
  panel: Panel,
  shown: string,
  signal: AbortSignal,
  onProblem: (message: string) => void,
): Promise<void> {
  await Promise.all([
    every(SWITCH_MS, signal, switchNodes(panel), onProblem),
    every(RENEW_MS, signal, renewAccounts(panel, shown), onProblem),
  ]);
}

async function every(
  ms: number,
  signal: AbortSignal,
  work: () => Promise<void>,
  onProblem: (message: string) => void,
): Promise<void> {
  try {
    for await (const _ of setInterval(ms, undefined, { signal })) {
      try {
        await work();
      } catch (error) {
        if (signal.aborted) return;
        onProblem(error instanceof Error ? error.message : String(error));
      }
    }
  } catch (error) {
    // The interval ends with an AbortError; anything else is a fault of this program.
    if (!signal.aborted) throw error;
  }
}

/** Switches the next simulated node off, and on again at the following turn. */
function switchNodes(panel: Panel): () => Promise<void> {
  let off: number | undefined;
  let turn = 0;
  const enable = (id: number, enabled: boolean) => panel.call("setNodeEnabled", { path: { id }, body: { enabled } });
  return async () => {
    if (off !== undefined) {
      const back = off;
      off = undefined;
      await enable(back, true);
      return;
    }
    const { items: nodes } = await panel.call("listNodes", { query: { q: "simulated", status: "connected" } });
    const node = nodes[(turn * 7) % Math.max(1, nodes.length)];
    turn += 1;
    if (!node) return;
    await enable(node.id, false);
    off = node.id;
  };
}

/** Renews one account that used up its volume or is past its date, in turns: never the one that is shown. */
export function renewAccounts(panel: Panel, shown: string, now: () => number = Date.now): () => Promise<void> {
  let turn = 0;
  return async () => {
    const state = EXHAUSTED[turn % EXHAUSTED.length] ?? EXHAUSTED[0];
    turn += 1;
    const { items: spent } = await panel.call("listActors", { query: { kind: "user", state, limit: 2 } });
    const other = spent.find(({ id }) => id !== shown);
    // So that it ends again while somebody looks.
    const body = state === "disabled.expiry" ? { expiry: Math.floor(now() / 1000) + SOON } : {};
    if (other) await panel.call("renewUser", { path: { id: Number(other.id) }, body });
  };
}
