// Receives the panel's webhooks, checks that they are genuine, and handles each event once.
// SECRET=whsec_… node main.ts — then add http://this-host:9090/ as a webhook of the panel with the same secret.
import { createServer, type IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import { verifyWebhook, type PanelEvent } from "@signalbox/client";

const { SECRET = "", PORT = "9090" } = process.env;
/** Ids of handled events. A shop keeps them in its database, in the transaction of what it does. */
const handled = new Set<number>();

function handle(event: PanelEvent): void {
  if (event.event === "user.expired" && event.data.reason === "expiry")
    console.log(`remind the customer of account ${event.data.userId}`);
  else console.log(event.event, JSON.stringify(event.data));
}

/** The status to answer. Anything but 2xx within ten seconds, and the panel sends the event again later. */
async function receive(request: IncomingMessage): Promise<number> {
  const body = await buffer(request);
  const signature = String(request.headers["x-panel-signature"]);
  if (!(await verifyWebhook({ secret: SECRET, signature, body }))) return 401;
  const event = JSON.parse(body.toString()) as PanelEvent;
  if (!handled.has(event.id)) handle(event);
  handled.add(event.id);
  return 204;
}

const server = createServer((request, response) => {
  receive(request).then(
    (status) => response.writeHead(status).end(),
    (error: unknown) => response.writeHead(500).end(console.error(error)),
  );
});
server.listen(Number(PORT), () => console.log(`listens on port ${PORT}`));
