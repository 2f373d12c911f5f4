// What agents and panel counted beside what travelled.
import type { UserAnswer } from "../api.ts";
import type { E2ePanel } from "../panel.ts";
import { PAYLOAD } from "./echo.ts";
import type { ServingNode } from "./servers.ts";

export interface Travelled {
  readonly exchanges: number;
  /** With those that were cut, and counted as far as they got. */
  readonly tries: number;
}

/** What was counted of a user on an inbound beside what travelled there. */
export interface Counted extends Travelled {
  /** `<user>.<inbound>`. */
  readonly what: string;
  readonly up: number;
  readonly down: number;
}

/**
 * Waits until agents and panel have counted what travelled, and compares: engines by user and inbound, the panel by
 * user and by node.
 */
export async function settleCounts(
  panel: E2ePanel,
  users: readonly UserAnswer[],
  nodes: readonly ServingNode[],
  travelled: ReadonlyMap<string, Travelled>,
) {
  const end = performance.now() + 20_000;
  for (;;) {
    const byName = new Map(nodes.flatMap((node) => [...node.counted()]));
    const counted = [...travelled].map(([what, tried]): Counted => ({
      what,
      ...tried,
      ...(byName.get(what) ?? { up: 0, down: 0 }),
    }));
    const differences: string[] = [];
    for (const { id } of users) {
      const wanted = sum([...byName].filter(([name]) => name.startsWith(`${id}.`)).map(([, bytes]) => bytes));
      const { up, down } = await panel.api.user(id);
      if (up !== wanted.up || down !== wanted.down)
        differences.push(`user ${id}: panel ${up}/${down}, agents ${wanted.up}/${wanted.down}`);
    }
    for (const node of nodes) {
      const wanted = sum([...node.counted().values()]);
      const { up, down } = await panel.api.node(node.nodeId);
      if (up !== wanted.up || down !== wanted.down)
        differences.push(`node ${node.server}: panel ${up}/${down}, agent ${wanted.up}/${wanted.down}`);
    }
    const complete = counted.every(({ exchanges, up, down }) => Math.min(up, down) >= exchanges * PAYLOAD);
    if ((complete && differences.length === 0) || performance.now() > end) return { counted, differences };
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

function sum(all: readonly { readonly up: number; readonly down: number }[]): { up: number; down: number } {
  return { up: all.reduce((total, { up }) => total + up, 0), down: all.reduce((total, { down }) => total + down, 0) };
}
