// A route that does nothing: what fastify, Node's HTTP and the generator take by themselves.
import fastify from "fastify";
import { answerParent, portOf } from "../measure/child.ts";

const app = fastify();
app.post("/counters/:id/count", async () => ({ ok: true }));
app.get("/counters/:id", async () => ({ ok: true }));
await app.listen({ host: "127.0.0.1", port: 0 });
answerParent(async () => ({ port: portOf(app.server) }));
