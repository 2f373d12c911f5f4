// The generator of HTTP load, in a process of its own: a closed loop over keep-alive connections. The same for every contestant.
import { z } from "zod";
import { answerParent } from "../measure/child.ts";
import { anyOf, closedLoop } from "../measure/closed-loop.ts";
import { Connection, requestText } from "../measure/connection.ts";

const Order = z.object({
  port: z.int(),
  connections: z.int(),
  ms: z.number(),
  method: z.enum(["GET", "POST", "PATCH"]),
  /** `{id}` is replaced by a key from 1 to `keys`, any of them as likely as the next. */
  path: z.string(),
  keys: z.int(),
  /** Each connection takes the next. */
  headers: z.array(z.record(z.string(), z.string())).min(1),
  body: z.string().optional(),
});

answerParent(async (message) => {
  const { port, connections, ms, method, path, keys, headers, body } = Order.parse(message);
  const opened = await Promise.all(Array.from({ length: connections }, () => Connection.open(port)));
  const [before = "", after = ""] = path.split("{id}");
  const asked = (index: number) =>
    requestText(method, path.includes("{id}") ? `${before}${anyOf(keys)}${after}` : path, headers[index % headers.length] ?? {}, body);
  try {
    return await closedLoop(connections, ms, async (index) => {
      const answer = await opened[index]?.ask(asked(index));
      if (!answer || answer.status >= 300) throw new Error(`${method} ${path}: ${answer?.status} ${answer?.body}`);
    });
  } finally {
    for (const connection of opened) connection.close();
  }
});
