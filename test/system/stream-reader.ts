// A reader of a panel's live stream: the frames it got, and what somebody believes who adds them up.
import { once } from "node:events";
import { expect } from "vitest";
import { WebSocket } from "ws";
import type { WholePanel } from "../whole-panel.ts";

export interface Frame {
  readonly rows: readonly {
    kind: string;
    id: string;
    seq: number;
    event: string;
    from: string | null;
    to: string;
    actor: string;
  }[];
  readonly counts: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly faults: readonly {
    kind: string;
    id: string;
    name: string;
    fault: { at: number; count: number; message: string } | null;
  }[];
  readonly dropped: number;
}

/** Opens the stream and awaits its first frame. */
export async function openStream(panel: WholePanel, headers: Record<string, string>, query = "") {
  const frames: Frame[] = [];
  const socket = new WebSocket(`${panel.url.replace("http", "ws")}/api/v1/actors/stream${query}`, { headers });
  socket.on("message", (data: Buffer) => frames.push(JSON.parse(data.toString("utf8")) as Frame));
  await once(socket, "open");
  await expect.poll(() => frames.length).toBeGreaterThan(0);
  return {
    frames,
    socket,
    rows: () => frames.flatMap(({ rows }) => rows),
    faults: () => frames.flatMap(({ faults }) => faults),
    believed: (kind: string): Record<string, number> => {
      const all = Object.assign({}, ...frames.map(({ counts }) => counts[kind] ?? {})) as Record<string, number>;
      return Object.fromEntries(Object.entries(all).filter(([, total]) => total > 0));
    },
    close: async () => {
      socket.close();
      await once(socket, "close");
    },
  };
}
