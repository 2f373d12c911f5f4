// The server that users download from: as many bytes as the path says, at once or at a pace.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { pipeline, Readable } from "node:stream";

const PIECE = Buffer.alloc(64 * 1024, 0x5a);
const BEAT_MS = 20;

export interface Origin {
  readonly port: number;
  close(): Promise<void>;
}

/** `GET /bytes/N` answers N bytes, `GET /bytes/N?rate=R` the same at R bytes a second. */
export async function startOrigin(): Promise<Origin> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://origin");
    const [, count] = /^\/bytes\/(\d+)$/.exec(url.pathname) ?? [];
    if (count === undefined) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { "content-length": count, "content-type": "application/octet-stream" });
    const rate = Number(url.searchParams.get("rate") ?? 0);
    const body = Readable.from(rate > 0 ? paced(Number(count), rate) : pieces(Number(count)), { objectMode: false });
    // A client that goes away ends the answer, which is all there is to do about it.
    pipeline(body, response, () => undefined);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function* pieces(count: number): Iterable<Buffer> {
  for (let left = count; left > 0; left -= PIECE.length) yield PIECE.subarray(0, left);
}

async function* paced(count: number, rate: number): AsyncIterable<Buffer> {
  const begin = performance.now();
  for (let sent = 0; sent < count;) {
    const due = Math.min(count, Math.floor((rate * (performance.now() - begin)) / 1000));
    yield* pieces(due - sent);
    sent = due;
    await new Promise((resolve) => setTimeout(resolve, BEAT_MS));
  }
}
