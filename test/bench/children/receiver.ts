// A receiver of webhooks in a process of its own: notes when each event arrived at which hook, and answers 200.
import { createServer } from "node:http";
import { z } from "zod";
import { answerParent, portOf } from "../measure/child.ts";

const Order = z.object({ do: z.enum(["listen", "take"]), arrivals: z.int().default(0) });
const Envelope = z.object({ id: z.int() });

/** `[hook, event id, Unix milliseconds with a fraction]`. */
let arrived: [number, number, number][] = [];
let awaited = { count: Number.POSITIVE_INFINITY, reached: () => {} };

const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on("data", (part: Buffer) => parts.push(part));
  request.on("end", () => {
    const at = performance.timeOrigin + performance.now();
    response.writeHead(200).end();
    const { id } = Envelope.parse(JSON.parse(Buffer.concat(parts).toString("utf8")));
    arrived.push([Number(request.url?.slice(1)), id, at]);
    if (arrived.length >= awaited.count) awaited.reached();
  });
});

answerParent(async (message) => {
  const order = Order.parse(message);
  if (order.do === "listen") {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return { port: portOf(server) };
  }
  if (arrived.length < order.arrivals)
    await new Promise<void>((reached) => (awaited = { count: order.arrivals, reached }));
  const taken = arrived;
  arrived = [];
  return taken;
});
