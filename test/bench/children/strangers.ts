// Sends odd requests again and again from some addresses, in a process of its own.
import { z } from "zod";
import { send } from "../../odd-requests.ts";
import { answerParent } from "../measure/child.ts";

const Order = z.object({
  port: z.int(),
  ms: z.number(),
  from: z.array(z.string()),
  /** Connections of each address. */
  connections: z.int(),
  requests: z.array(
    z.object({
      name: z.string(),
      method: z.string(),
      path: z.string(),
      headers: z.record(z.string(), z.string()),
      body: z.string().optional(),
    }),
  ),
});

answerParent(async (message) => {
  const { port, ms, from, connections, requests } = Order.parse(message);
  const until = performance.now() + ms;
  let sent = 0;
  const flood = from.flatMap((address) =>
    Array.from({ length: connections }, async (_, first) => {
      for (let at = first; performance.now() < until; at++) {
        const next = requests[at % requests.length];
        if (!next) return;
        const { body, ...rest } = next;
        await send(port, body === undefined ? rest : { ...rest, body }, address);
        sent++;
      }
    }),
  );
  await Promise.all(flood);
  return { sent };
});
