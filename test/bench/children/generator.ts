// The generator of HTTP load, in a process of its own: a closed loop over keep-alive connections. The same for every
// contestant.
import { z } from "zod";
import { answerParent } from "../measure/child.ts";
import { anyOf, closedLoop, pacedLoop } from "../measure/closed-loop.ts";
import { Connection, requestText } from "../measure/connection.ts";

const Order = z.object({
  port: z.int(),
  connections: z.int(),
  ms: z.number(),
  method: z.enum(["GET", "POST", "PATCH"]),
  /** `{id}` is replaced by a key from 1 to `keys`, any of them as likely as the next. */
  path: z.string(),
  keys: z.int(),
  /** Each connection takes the next. `{n}` in a value, and in the body, is replaced by what no request had before. */
  headers: z.array(z.record(z.string(), z.string())).min(1),
  body: z.string().optional(),
  /** Requests a second; without, each connection asks again when it is answered. */
  perSecond: z.number().optional(),
});

let asked = 0;
const unused = (text: string) => text.replace("{n}", () => `${process.pid}-${++asked}`);
const allUnused = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, unused(value)]));

answerParent(async (message) => {
  const { port, connections, ms, method, path, keys, headers, body, perSecond } = Order.parse(message);
  const opened = await Promise.all(Array.from({ length: connections }, () => Connection.open(port)));
  const [before = "", after = ""] = path.split("{id}");
  const counted = headers.some((each) => Object.values(each).some((value) => value.includes("{n}")));
  const countedBody = body?.includes("{n}") ?? false;
  const request = (index: number) => {
    const given = headers[index % headers.length] ?? {};
    return requestText(
      method,
      path.includes("{id}") ? `${before}${anyOf(keys)}${after}` : path,
      counted ? allUnused(given) : given,
      body !== undefined && countedBody ? unused(body) : body,
    );
  };
  try {
    const once = async (index: number) => {
      const answer = await opened[index]?.ask(request(index));
      if (!answer || answer.status >= 300) throw new Error(`${method} ${path}: ${answer?.status} ${answer?.body}`);
    };
    return await (perSecond === undefined
      ? closedLoop(connections, ms, once)
      : pacedLoop(connections, perSecond, ms, once));
  } finally {
    for (const connection of opened) connection.close();
  }
});
