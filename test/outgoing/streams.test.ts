// Bodies as streams, up and down: their length, their pace, their end.
import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { openOutgoing } from "../../src/outgoing/index.ts";
import type { StreamRequest } from "../../src/outgoing/testing.ts";
import { httpServer, reasonOf, tcpServer } from "./servers.ts";

setFlagsFromString("--expose-gc");
/** What nobody uses any more goes at once: when it would go by itself depends on what else the machine does. */
const collect = runInNewContext("gc") as () => void;
const MIB = 1 << 20;
const CHUNK = Buffer.alloc(64 << 10, "x");
const { fetch, stream } = openOutgoing();

const options = { allowPrivate: true, timeout: 60_000, maxBytes: 1000 * MIB } satisfies Partial<StreamRequest>;
const at = (port: number, path = "/") => `http://127.0.0.1:${port}${path}`;

/** So many bytes in chunks; `seen` hears of each. */
async function* bytes(count: number, seen: (size: number) => void = () => {}): AsyncGenerator<Buffer> {
  for (let left = count; left > 0; left -= CHUNK.length) {
    const part = CHUNK.subarray(0, left);
    seen(part.length);
    yield part;
  }
}

async function* endless(): AsyncGenerator<Buffer> {
  for (;;) yield CHUNK;
}

/** Bytes of the body, without keeping them. */
async function sizeOf(body: AsyncIterable<Buffer>, each: () => void = () => {}): Promise<number> {
  let size = 0;
  for await (const part of body) {
    size += part.length;
    each();
  }
  return size;
}

const answer = (response: ServerResponse) => (size: number) => void response.end(String(size));

// rule certificates.target.3
test("200 MiB go up and come down, a little at a time", async () => {
  const total = 200 * MIB;
  const seen: IncomingMessage["headers"][] = [];
  const port = await httpServer((request, response) => {
    seen.push(request.headers);
    if (request.method === "PUT") void sizeOf(request as AsyncIterable<Buffer>).then(answer(response));
    else void pipeline(Readable.from(bytes(total)), response).catch(() => {});
  });
  const inUse = (): number => {
    collect();
    return process.memoryUsage().arrayBuffers;
  };
  const before = inUse();
  let most = 0;
  let chunks = 0;
  const measure = (): void => {
    // Asking costs more than a chunk does.
    if (chunks++ % 100 === 0) most = Math.max(most, inUse() - before);
  };
  const body = { stream: bytes(total, measure), length: total };
  const up = await fetch({ ...options, url: at(port), method: "PUT", body });
  expect(String(up.body)).toBe(String(total));
  expect(seen[0]).toMatchObject({ "content-length": String(total) });
  expect(seen[0]).not.toHaveProperty("expect");
  const down = await stream({ ...options, url: at(port) });
  expect(await sizeOf(down.body, measure)).toBe(total);
  expect(most).toBeLessThan(total / 4);
}, 180_000);

test.each(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] as const)(
  "%s is sent, with a body or without",
  async (method) => {
    const port = await httpServer((request, response) => {
      response.setHeader("x-method", request.method ?? "");
      response.setHeader("x-sent", request.headers["transfer-encoding"] ?? request.headers["content-length"] ?? "none");
      void sizeOf(request as AsyncIterable<Buffer>).then(answer(response));
    });
    for (const [body, sent] of [
      [Buffer.from("four"), "4"],
      [{ stream: bytes(4), length: 4 }, "4"],
      [{ stream: bytes(4) }, "chunked"],
    ] as const) {
      const got = await fetch({ ...options, url: at(port), method, body });
      expect(got.headers).toMatchObject({ "x-method": method, "x-sent": sent });
      expect(String(got.body)).toBe(method === "HEAD" ? "" : "4");
    }
    const bare = await fetch({ ...options, url: at(port), method });
    expect(bare.headers).toMatchObject({ "x-method": method });
    expect(String(bare.body)).toBe(method === "HEAD" ? "" : "0");
  },
);

// rule certificates.target.3
test("an endless body ends at its limit, and the connection with it", async () => {
  const closed = Promise.withResolvers<void>();
  const port = await httpServer((_, response) => {
    response.once("close", () => closed.resolve());
    void pipeline(Readable.from(endless()), response).catch(() => {});
  });
  const { body } = await stream({ ...options, url: at(port), maxBytes: 2 * MIB });
  expect(await reasonOf(sizeOf(body))).toBe("too_large");
  await closed.promise;
});

test("endless headers end at their limit", async () => {
  const port = await tcpServer((socket) => {
    socket.write("HTTP/1.1 200 OK\r\n");
    void pipeline(
      Readable.from(
        (async function* () {
          for (let index = 0; ; index++) yield `x-${index}: ${"y".repeat(1000)}\r\n`;
        })(),
      ),
      socket,
    ).catch(() => {});
  });
  expect(await reasonOf(fetch({ ...options, url: at(port) }))).toBe("too_large");
});

test("interim answers without end, and one that changes the protocol, are no answer", async () => {
  const interim = await tcpServer((socket) => {
    void pipeline(
      Readable.from(
        (function* () {
          for (;;) yield "HTTP/1.1 102 Processing\r\n\r\n".repeat(100);
        })(),
      ),
      socket,
    ).catch(() => {});
  });
  expect(await reasonOf(fetch({ ...options, url: at(interim), timeout: 200 }))).toBe("timeout");
  const upgrade = await tcpServer((socket) => {
    socket.write("HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n");
  });
  expect(await reasonOf(fetch({ ...options, url: at(upgrade) }))).toBe("connect");
});

// rule certificates.target.3
test("a body that falls silent is a timeout; silence before the answer is not", async () => {
  const silent = await httpServer((_, response) => void response.writeHead(200).write("x"));
  expect(await reasonOf(fetch({ ...options, url: at(silent), idleTimeout: 100 }))).toBe("timeout");
  // A long poll: the other side is silent for longer than a body may be.
  const polled = await httpServer((_, response) => void setTimeout(() => response.end("news"), 1500));
  const got = await fetch({ ...options, url: at(polled), idleTimeout: 1000 });
  expect(String(got.body)).toBe("news");
});

test("a server that takes nothing of a body is a timeout; a body that comes slowly is not", async () => {
  const stuck = await tcpServer((socket) => socket.pause());
  const sending = fetch({ ...options, url: at(stuck), method: "PUT", body: { stream: endless() }, idleTimeout: 200 });
  expect(await reasonOf(sending)).toBe("timeout");
  const port = await httpServer((request, response) => {
    void sizeOf(request as AsyncIterable<Buffer>).then(answer(response));
  });
  const slow = Readable.from(
    (async function* () {
      for (let part = 0; part < 4; part++) {
        yield Buffer.from("x");
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    })(),
  );
  const got = await fetch({ ...options, url: at(port), method: "PUT", body: { stream: slow }, idleTimeout: 50 });
  expect(String(got.body)).toBe("4");
});

test("a body that is read slowly is not silent", async () => {
  const port = await httpServer((_, response) => void pipeline(Readable.from(bytes(4 * MIB)), response));
  const { body } = await stream({ ...options, url: at(port), idleTimeout: 1000 });
  let size = 0;
  for await (const part of body) {
    if (size === 0) await new Promise((resolve) => setTimeout(resolve, 1500));
    size += part.length;
  }
  expect(size).toBe(4 * MIB);
});

// rule certificates.target.3
test("what ends midway is no whole body", async () => {
  const port = await httpServer((_, response) => {
    response.writeHead(200, { "content-length": "100" }).write("x", () => response.destroy());
  });
  expect(await reasonOf(fetch({ ...options, url: at(port) }))).toBe("connect");
});

test("a caller who ends it, by signal or by leaving, closes the connection", async () => {
  const closes: Promise<unknown>[] = [];
  const port = await httpServer((_, response) => {
    closes.push(once(response, "close"));
    void pipeline(Readable.from(endless()), response).catch(() => {});
  });
  const ending = new AbortController();
  const first = await stream({ ...options, url: at(port), signal: ending.signal });
  const reading = reasonOf(sizeOf(first.body, () => ending.abort()));
  expect(await reading).toBe("aborted");
  const second = await stream({ ...options, url: at(port) });
  for await (const part of second.body) if (part.length > 0) break;
  const third = await stream({ ...options, url: at(port) });
  third.end();
  expect(closes).toHaveLength(3);
  await Promise.all(closes);
});

test("a caller who ends it while sending closes the connection and the stream that was sent", async () => {
  const port = await httpServer((request) => void request.resume());
  const ending = new AbortController();
  const left = Promise.withResolvers<void>();
  async function* sent(): AsyncGenerator<Buffer> {
    try {
      for (;;) {
        yield CHUNK;
        if (!ending.signal.aborted) ending.abort();
      }
    } finally {
      left.resolve();
    }
  }
  const sending = fetch({ ...options, url: at(port), method: "POST", body: { stream: sent() }, signal: ending.signal });
  expect(await reasonOf(sending)).toBe("aborted");
  await left.promise;
});

test.each([
  [
    "breaks off",
    100,
    Readable.from(
      (async function* () {
        yield CHUNK;
        throw new Error("the disk is gone");
      })(),
    ),
  ],
  ["is shorter than it was said to be", 100, bytes(99)],
  ["is longer than it was said to be", 100, bytes(101)],
])("a stream that %s fails the request, and no server takes it for whole", async (_, length, body) => {
  const whole: boolean[] = [];
  const closed = Promise.withResolvers<void>();
  const port = await httpServer((request) => {
    request.once("end", () => whole.push(request.complete));
    request.on("error", () => {});
    request.once("close", () => closed.resolve());
    request.resume();
  });
  const sending = fetch({ ...options, url: at(port), method: "PUT", body: { stream: body, length } });
  expect(await reasonOf(sending)).toBe("aborted");
  await Promise.race([closed.promise, new Promise((resolve) => setTimeout(resolve, 100))]);
  expect(whole).toEqual([]);
});

test("an answer before the whole body counts, and ends the sending", async () => {
  const port = await httpServer((_, response) => void response.writeHead(413).end("too much"));
  const left = Promise.withResolvers<void>();
  async function* sent(): AsyncGenerator<Buffer> {
    try {
      for (;;) {
        yield Buffer.from("x");
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    } finally {
      left.resolve();
    }
  }
  const got = await fetch({ ...options, url: at(port), method: "PUT", body: { stream: sent() } });
  expect(got.status).toBe(413);
  expect(String(got.body)).toBe("too much");
  await left.promise;
});
