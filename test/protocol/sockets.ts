// A pair of connected WebSockets over real TCP, for tests of the peer.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { WebSocket, WebSocketServer } from "ws";

export interface SocketPair {
  readonly server: WebSocket;
  readonly client: WebSocket;
  close(): Promise<void>;
}

export async function socketPair(): Promise<SocketPair> {
  const http = createServer();
  const sockets = new WebSocketServer({ server: http });
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  const { port } = http.address() as AddressInfo;
  const client = new WebSocket(`ws://127.0.0.1:${port}`);
  const accepted = once(sockets, "connection");
  await once(client, "open");
  const [server] = (await accepted) as [WebSocket];
  return {
    server,
    client,
    async close() {
      client.terminate();
      server.terminate();
      sockets.close();
      http.close();
      await once(http, "close");
    },
  };
}
