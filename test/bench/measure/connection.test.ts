// The generator of load: an answer is one answer however it is cut into packets, and a refusal is no answer.
import { createServer, type RequestListener, type Server } from "node:http";
import { afterEach, describe, expect, test } from "vitest";
import { portOf } from "./child.ts";
import { closedLoop, measured } from "./closed-loop.ts";
import { Connection, requestText } from "./connection.ts";

describe("a connection of the generator", () => {
  let server: Server | undefined;
  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
  });
  async function connected(listener: RequestListener): Promise<Connection> {
    const listening = createServer(listener);
    server = listening;
    await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve));
    return Connection.open(portOf(listening));
  }

  test("reads a body of a length said, one that comes in chunks, and none", async () => {
    const connection = await connected((request, response) => {
      if (request.url === "/chunks") {
        response.write("one ");
        setTimeout(() => response.end("two"), 5);
      } else if (request.url === "/none") response.writeHead(204).end();
      else response.end("whole");
    });
    expect(await connection.ask(requestText("GET", "/whole", {}))).toEqual({ status: 200, body: "whole" });
    expect((await connection.ask(requestText("GET", "/chunks", {}))).body).toContain("two");
    expect(await connection.ask(requestText("GET", "/none", {}))).toEqual({ status: 204, body: "" });
    expect(await connection.ask(requestText("GET", "/whole", {}))).toEqual({ status: 200, body: "whole" });
    connection.close();
  });

  test("sends method, path, headers and body as they are", async () => {
    const connection = await connected((request, response) => {
      request
        .setEncoding("utf8")
        .on("data", (body: string) =>
          response.end(`${request.method} ${request.url} ${String(request.headers["x-a"])} ${body}`),
        );
    });
    expect((await connection.ask(requestText("POST", "/a?b=c", { "x-a": "1" }, '{"d":2}'))).body).toBe(
      'POST /a?b=c 1 {"d":2}',
    );
    connection.close();
  });

  test("a server that goes away is an error", async () => {
    const connection = await connected((request) => request.socket.destroy());
    await expect(connection.ask(requestText("GET", "/", {}))).rejects.toThrow("closed the connection");
  });
});

describe("a closed loop", () => {
  test("keeps as many in flight as it is told, and counts every answer", async () => {
    let [inFlight, most, asked] = [0, 0, 0];
    const { answered, rate } = await closedLoop(7, 50, async () => {
      asked++;
      most = Math.max(most, ++inFlight);
      await new Promise((resolve) => setTimeout(resolve, 1));
      inFlight--;
    });
    expect({ answered, most }).toEqual({ answered: asked, most: 7 });
    expect(rate).toBeGreaterThan(0);
  });

  test("a refusal ends it", async () => {
    await expect(closedLoop(2, 1000, () => Promise.reject(new Error("refused")))).rejects.toThrow("refused");
  });

  test("says the rate, and half and nearly all latencies", () => {
    const latencies = Array.from({ length: 200 }, (_, index) => index + 1);
    expect(measured(latencies.toReversed(), 1000)).toEqual({ answered: 200, rate: 200, p50: 101, p95: 191, p99: 199 });
  });
});
