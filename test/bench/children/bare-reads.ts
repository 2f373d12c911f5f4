// A bare fastify route whose answers are given beforehand, by name: what it takes to send JSON of a size and do nothing
// else.
import fastify from "fastify";
import { z } from "zod";
import { answerParent, portOf } from "../measure/child.ts";

const Order = z.object({ answers: z.record(z.string(), z.unknown()) });

let answers: Readonly<Record<string, unknown>> = {};
const app = fastify();
app.get<{ Params: { name: string } }>("/:name", async ({ params }) => answers[params.name]);
await app.listen({ host: "127.0.0.1", port: 0 });
answerParent(async (message) => {
  ({ answers } = Order.parse(message));
  return { port: portOf(app.server) };
});
