// SIGTERM: within five seconds, whatever stands open; the engine ends with the agent, or serves on when that is asked
// for.
import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo, Server, Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startOrigin } from "../e2e/origin.ts";
import { processesOf } from "../e2e/processes.ts";
import { AgentStage } from "./agent-stage.ts";
import { enginesHere } from "./engines-here.ts";
import { HttpDownload, tunnel } from "./http-user.ts";
import { dial, UsageBook } from "./panel.ts";

const CONNECTIONS = 1000;
const STOP_MS = 5000;
const engines = await enginesHere();

let stage: AgentStage;
beforeEach(async () => {
  stage = await AgentStage.open();
});
afterEach(() => stage.end());

describe.each(engines)("the engine %s", (engine) => {
  test(`with ${CONNECTIONS} open connections`, async () => {
    const agent = await stage.start(engine);
    const { port, user } = await stage.serve(agent);
    const target = await holdingServer();
    const sockets: Socket[] = [];
    while (sockets.length < CONNECTIONS)
      sockets.push(...(await Promise.all(Array.from({ length: 50 }, () => tunnel(port, user, target.port)))));
    const stopped = await agent.stop();
    expect(stopped).toMatchObject({ code: 0, signal: null });
    expect(stopped.ms).toBeLessThan(STOP_MS);
    expect(processesOf(stage.directory)).toEqual([]);
    for (const socket of sockets) socket.destroy();
    target.server.close();
  });

  test("a panel that does not answer, and does not even read", async () => {
    const agent = await stage.start(engine);
    const book = new UsageBook();
    book.answering = false;
    const { link, port, user } = await stage.serve(agent, book);
    const origin = await startOrigin();
    await new HttpDownload(port, user, origin.port, "/bytes/100000").finished;
    await expect.poll(() => book.seen.size).toBe(1);
    link.socket.pause();
    const stopped = await agent.stop();
    expect(stopped).toMatchObject({ code: 0, signal: null });
    expect(stopped.ms).toBeLessThan(STOP_MS);
    await origin.close();
  });
});

describe.each(engines.filter((kind) => kind !== "embedded"))("the process engine %s", (engine) => {
  test("serves on with --on-stop leave; the next agent takes it over and counts what it served alone", async () => {
    const first = await stage.start(engine, "--on-stop", "leave");
    const book = new UsageBook();
    const { port, user } = await stage.serve(first, book);
    const before = stage.engines(first);
    const origin = await startOrigin();
    const download = new HttpDownload(port, user, origin.port, "/bytes/3000000?rate=1000000");
    await expect.poll(() => download.received).toBeGreaterThan(100_000);
    expect((await first.stop()).code).toBe(0);
    expect(processesOf(stage.directory).map(({ pid }) => pid)).toEqual(before);
    expect(await download.finished).toBe(3_000_000);
    const second = await stage.start(engine);
    await (await dial(second.port, stage.client, book)).hello(1);
    await expect.poll(() => book.down).toBeGreaterThanOrEqual(3_000_000);
    expect(stage.engines(second)).toEqual(before);
    expect((await second.stop()).code).toBe(0);
    expect(processesOf(stage.directory)).toEqual([]);
    expect(book.down).toBeLessThan(3_000_000 * 1.02);
    await origin.close();
  });
});

/** Takes connections and leaves them open. */
async function holdingServer(): Promise<{ server: Server; port: number }> {
  const server = createServer((socket) => socket.on("error", () => undefined).resume()).listen(0, "127.0.0.1");
  await once(server, "listening");
  return { server, port: (server.address() as AddressInfo).port };
}
