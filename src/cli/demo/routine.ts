// The operator of the demo: switches simulated nodes off and on and renews accounts that ran out, over the API like any
// integration, so that the fleet stays alive.
import { setInterval } from "node:timers/promises";
import { z } from "zod";
import type { Api } from "./api.ts";

const Actors = z.array(z.object({ id: z.string(), name: z.string() }));

const SWITCH_MS = 15_000;
const RENEW_MS = 10_000;
const EXHAUSTED = ["disabled.volume", "disabled.expiry"];

/**
 * `shown`: the id of the account that the visitor is told to look at, which stays as it was said to be for as long as
 * the demo runs. Runs until the signal. Never rejects: a request that fails (a visitor may have deleted the record) is
 * told to `onProblem` and the round goes on.
 */
export async function runRoutine(
  api: Api,
  shown: string,
  signal: AbortSignal,
  onProblem: (message: string) => void,
): Promise<void> {
  await Promise.all([
    every(SWITCH_MS, signal, switchNodes(api), onProblem),
    every(RENEW_MS, signal, renewAccounts(api, shown), onProblem),
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
function switchNodes(api: Api): () => Promise<void> {
  let off: number | undefined;
  let turn = 0;
  const enable = (id: number, enabled: boolean) =>
    api.call("POST", `/nodes/${id}/enabled`, z.object({}), { body: { enabled } });
  return async () => {
    if (off !== undefined) {
      const back = off;
      off = undefined;
      await enable(back, true);
      return;
    }
    const nodes = await api.call("GET", "/nodes?q=simulated&status=connected", z.array(z.object({ id: z.int() })));
    const node = nodes[(turn * 7) % Math.max(1, nodes.length)];
    turn += 1;
    if (!node) return;
    await enable(node.id, false);
    off = node.id;
  };
}

/** Renews one account that used up its volume or is past its date, in turns: never the one that is shown. */
export function renewAccounts(api: Api, shown: string): () => Promise<void> {
  let turn = 0;
  return async () => {
    const state = EXHAUSTED[turn % EXHAUSTED.length] ?? "";
    turn += 1;
    const spent = await api.call("GET", `/actors?kind=user&state=${state}&limit=2`, Actors);
    const other = spent.find(({ id }) => id !== shown);
    if (other) await api.call("POST", `/users/${other.id}/renew`, z.object({}), { body: {} });
  };
}
