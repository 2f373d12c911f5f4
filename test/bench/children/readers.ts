// Readers of the live stream in a process of their own: what they read costs the panel's process nothing.
import { once } from "node:events";
import { WebSocket } from "ws";
import { z } from "zod";
import { answerParent } from "../measure/child.ts";

const Order = z.discriminatedUnion("do", [
  z.object({ do: z.literal("open"), url: z.string(), readers: z.int() }),
  z.object({ do: z.literal("take") }),
  z.object({ do: z.literal("close") }),
]);
const Frame = z.object({ rows: z.array(z.unknown()), dropped: z.int() });

let open: WebSocket[] = [];
let heard = { bytes: 0, frames: 0, rows: 0, dropped: 0 };

function hear(data: Buffer): void {
  const { rows, dropped } = Frame.parse(JSON.parse(data.toString("utf8")));
  heard.bytes += data.length;
  heard.frames += 1;
  heard.rows += rows.length;
  heard.dropped += dropped;
}

answerParent(async (message) => {
  const order = Order.parse(message);
  if (order.do === "open") {
    open = Array.from({ length: order.readers }, () => new WebSocket(order.url));
    for (const socket of open) socket.on("message", hear);
    await Promise.all(open.map((socket) => once(socket, "open")));
  } else if (order.do === "close") {
    for (const socket of open) socket.terminate();
  }
  const taken = heard;
  heard = { bytes: 0, frames: 0, rows: 0, dropped: 0 };
  return taken;
});
