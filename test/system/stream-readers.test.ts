// The live stream with many readers and with bad ones, over real sockets: ten frames a second at most, absolute figures
// that are never lost, memory that does not grow.
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { Facts, type Committed } from "../../src/db/index.ts";
import { systemOrigin } from "../../src/lib/origin.ts";
import { TRANSITION, type Transition } from "../../src/runtime/index.ts";
import { StateCounts } from "../../src/system/actors/counts.ts";
import { ActorStream } from "../../src/system/actors/stream.ts";

interface Frame {
  rows: { kind: string; id: string; seq: number; from: string | null; to: string; atMs: number }[];
  counts: Record<string, Record<string, number>>;
  flow: Record<string, { event: string; from: string | null; to: string; perMinute: number }[]>;
  dropped: number;
  at: number;
}

const KINDS = ["node", "user"];

/** The stream as the panel has it, told of transitions by the test instead of commits. */
class Stage {
  readonly stream: ActorStream;
  readonly counts: StateCounts;
  readonly #server: Server;
  readonly #clients: WebSocket[] = [];
  #tell: (committed: Committed) => void = () => {};
  /** The panel's ends. */
  readonly sockets: WebSocket[] = [];
  readonly states = new Map<string, string>();
  told = 0;

  private constructor(counts: StateCounts) {
    this.counts = counts;
    const onCommit = (listener: (committed: Committed) => void) => {
      this.#tell = listener;
      return () => {};
    };
    this.stream = new ActorStream({ commits: { onCommit }, counts, now: Date.now });
    this.#server = createServer();
    const sockets = new WebSocketServer({ server: this.#server });
    sockets.on("connection", (socket, request) => {
      this.sockets.push(socket);
      const query = new URL(request.url ?? "", "http://panel").searchParams;
      const id = query.get("id");
      this.stream.add(socket, query.get("kind") ?? undefined, id === null ? undefined : Number(id));
    });
  }

  static async open(): Promise<Stage> {
    const kinds = new Map(KINDS.map((kind) => [kind, undefined as never]));
    const empty = { dialect: "sqlite", query: async () => [] } as never;
    const stage = new Stage(await StateCounts.open(empty, { kinds }, undefined));
    stage.#server.listen(0, "127.0.0.1");
    await once(stage.#server, "listening");
    return stage;
  }

  /** A reader and the frames it has got. */
  async reader(query = ""): Promise<{ socket: WebSocket; frames: (Frame & { heard: number })[]; bytes: () => number }> {
    const { port } = this.#server.address() as AddressInfo;
    const socket = new WebSocket(`ws://127.0.0.1:${port}/${query}`);
    this.#clients.push(socket);
    const frames: (Frame & { heard: number })[] = [];
    let bytes = 0;
    socket.on("message", (data: Buffer) => {
      bytes += data.length;
      frames.push({ ...(JSON.parse(data.toString("utf8")) as Frame), heard: performance.now() });
    });
    await once(socket, "open");
    await expect.poll(() => frames.length).toBe(1);
    return { socket, frames, bytes: () => bytes };
  }

  /** One commit in which actors go from state to state. */
  move(kind: string, ids: readonly number[], to: (id: number) => string, event = "moved"): void {
    const facts = ids.map((id): Transition => {
      const key = `${kind}:${id}`;
      const from = this.states.get(key) ?? null;
      this.states.set(key, to(id));
      const seq = ++this.told;
      return {
        kind,
        id,
        name: `${kind} ${id}`,
        seq,
        at: Date.now(),
        event,
        from,
        to: to(id),
        origin: systemOrigin("test"),
      };
    });
    this.#tell({ changes: [], facts: new Facts().add(TRANSITION, ...facts) });
  }

  /** What counting gives. */
  truth(kind: string): Record<string, number> {
    const counted: Record<string, number> = {};
    for (const [key, state] of this.states) if (key.startsWith(`${kind}:`)) counted[state] = (counted[state] ?? 0) + 1;
    return counted;
  }

  async close(): Promise<void> {
    this.stream.stop();
    for (const client of this.#clients) client.terminate();
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

/** What a reader believes who adds up the frames. */
function believed(frames: readonly Frame[], kind: string): Record<string, number> {
  const all = Object.assign({}, ...frames.map(({ counts }) => counts[kind] ?? {})) as Record<string, number>;
  return Object.fromEntries(Object.entries(all).filter(([, total]) => total > 0));
}

let stage: Stage;
beforeEach(async () => {
  stage = await Stage.open();
});
afterEach(() => stage.close());
const ids = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

// rule inspector.stream.1
test("the first frame has everything, those after it what changed, both in absolute figures", async () => {
  stage.move("node", [1, 2, 3], () => "up", "created");
  const { frames } = await stage.reader();
  expect(frames[0]).toMatchObject({
    rows: [],
    counts: { node: { up: 3 }, user: {} },
    flow: { node: [{ event: "created", from: null, to: "up", perMinute: 3 }] },
    dropped: 0,
  });
  expect(Math.abs((frames[0]?.at ?? 0) - Date.now())).toBeLessThan(5000);
  stage.move("node", [2], () => "down", "link.lost");
  await expect.poll(() => frames.length).toBe(2);
  expect(frames[1]).toMatchObject({
    rows: [{ kind: "node", id: "2", from: "up", to: "down" }],
    counts: { node: { up: 2, down: 1 } },
    flow: { node: [{ event: "link.lost", from: "up", to: "down", perMinute: 1 }] },
  });
  expect(Object.keys(frames[1]?.counts ?? {})).toEqual(["node"]);
  expect(frames[1]?.flow["node"]).toHaveLength(1);
});

// rule inspector.stream.3
test("with a kind only of that kind, with an id every transition of that actor", async () => {
  const nodes = await stage.reader("?kind=node");
  const one = await stage.reader("?kind=node&id=7");
  for (let round = 0; round < 40; round++) {
    stage.move("node", ids(0, 20), () => (round % 2 === 0 ? "up" : "down"));
    stage.move("user", [7], () => `state ${round}`);
    if (round % 10 === 0) await pause(30);
  }
  await expect.poll(() => one.frames.flatMap(({ rows }) => rows).length).toBe(40);
  expect(one.frames.flatMap(({ rows }) => rows).every(({ kind, id }) => kind === "node" && id === "7")).toBe(true);
  expect(one.frames.every(({ dropped }) => dropped === 0)).toBe(true);
  await expect.poll(() => believed(nodes.frames, "node")).toEqual(stage.truth("node"));
  for (const frame of [...nodes.frames, ...one.frames]) {
    expect(Object.keys(frame.counts).every((kind) => kind === "node")).toBe(true);
    expect(Object.keys(frame.flow).every((kind) => kind === "node")).toBe(true);
  }
  const told = nodes.frames.reduce((sum, { rows, dropped }) => sum + rows.length + dropped, 0);
  expect(told).toBe(800);
});

// rule inspector.stream.2
test("at most ten frames within any second, from the first one on", async () => {
  const reader = await stage.reader();
  const until = performance.now() + 2500;
  while (performance.now() < until) {
    stage.move("node", ids(0, 5), (id) => `state ${(stage.told + id) % 7}`);
    await pause(10);
  }
  // By the panel's own clock: what the network and this process bunch together was sent apart.
  const sent = reader.frames.map(({ at }) => at);
  for (const at of sent)
    expect(sent.filter((other) => other >= at && other < at + 1000).length).toBeLessThanOrEqual(10);
  expect(sent.length).toBeGreaterThan(5);
});

// rule inspector.stream.4
test("a paused reader loses rows, never counts, and nothing is kept for it", async () => {
  const { socket, frames } = await stage.reader("?kind=user&id=1");
  const every = await stage.reader();
  socket.pause();
  const long = "x".repeat(200);
  let most = 0;
  for (let round = 0; round < 60; round++) {
    for (let step = 0; step < 100; step++)
      stage.move(
        "user",
        Array.from({ length: 20 }, () => 1),
        () => `${round % 3} ${long}`,
      );
    await pause(20);
    most = Math.max(most, ...stage.sockets.map(({ bufferedAmount }) => bufferedAmount));
  }
  // 120,000 rows of half a kilobyte and more went to nobody.
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThan(2 * 2 ** 20);
  socket.resume();
  stage.move("user", [1], () => "end");
  await expect.poll(() => believed(frames, "user"), { timeout: 10_000 }).toEqual({ end: 1 });
  const told = frames.reduce((sum, { rows, dropped }) => sum + rows.length + dropped, 0);
  expect(told).toBe(120_001);
  expect(frames.some(({ dropped }) => dropped > 0)).toBe(true);
  await expect.poll(() => believed(every.frames, "user")).toEqual({ end: 1 });
});

test("a thousand transitions a second to fifty readers: each believes the truth, at a few kilobytes a second", async () => {
  const readers = await Promise.all(ids(0, 50).map(() => stage.reader()));
  const cpu = process.cpuUsage();
  const began = performance.now();
  for (let tick = 0; tick < 60; tick++) {
    for (let step = 0; step < 50; step++)
      stage.move("user", [(tick * 50 + step) % 997], (id) => `state ${(id + tick) % 9}`);
    await pause(50 - ((performance.now() - began) % 50));
  }
  const seconds = (performance.now() - began) / 1000;
  const truth = sorted(stage.truth("user"));
  await expect
    .poll(
      () =>
        readers.filter(({ frames }) => JSON.stringify(sorted(believed(frames, "user"))) === JSON.stringify(truth))
          .length,
    )
    .toBe(50);
  const { user, system } = process.cpuUsage(cpu);
  const each = readers.map(({ bytes }) => bytes() / seconds);
  console.info(
    `${Math.round(stage.told / seconds)} transitions/s, 50 readers and the panel in one process: ${Math.round((user + system) / 10_000 / seconds)} % of a core, ${Math.round(Math.max(...each) / 1000)} kB/s each`,
  );
  expect(Math.max(...each)).toBeLessThan(30_000);
});

function sorted(counts: Record<string, number>): [string, number][] {
  return Object.entries(counts).toSorted(([a], [b]) => (a < b ? -1 : 1));
}

test("readers that leave are forgotten", async () => {
  const { socket } = await stage.reader("?kind=node&id=1");
  socket.close();
  await once(socket, "close");
  const other = await stage.reader("?kind=node&id=1");
  stage.move("node", [1], () => "up");
  await expect.poll(() => other.frames.flatMap(({ rows }) => rows).length).toBe(1);
});
