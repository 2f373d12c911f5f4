// What the readers of the live stream cost: transitions at a steady rate, each turn with another number of readers, in
// turns on one panel's runtime. The processor's time is of the process that commits and sends; the readers are a
// process of their own. Each transition changes the state of its actor. Run: node bin/node24.mjs test/bench/stream.ts
// [sqlite|postgresql]
import { once } from "node:events";
import { createServer } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { WebSocketServer } from "ws";
import { z } from "zod";
import { ActorStream } from "../../src/system/actors/stream.ts";
import { StateCounts } from "../../src/system/actors/counts.ts";
import { dialects } from "../database.ts";
import { checkBooks, counter, openCounters, origin } from "./counters/actors.ts";
import { openRuntime } from "./counters/runtime.ts";
import { anyOf } from "./measure/closed-loop.ts";
import { Child, portOf } from "./measure/child.ts";
import { extent, RUNS } from "./measure/extent.ts";
import { medianOf, percent, printTable, thousands, type Cell } from "./measure/table.ts";

const KEYS = 10_000;
const PER_SECOND = 1400;
const BEAT_MS = 50;
const TURN_MS = extent(5000, 1000);
const READERS = [0, 1, 50, 200];

const Heard = z.object({ bytes: z.number(), frames: z.number(), rows: z.number(), dropped: z.number() });

interface Turn {
  readonly rate: number;
  /** Seconds of the processor in a second. */
  readonly core: number;
  /** Bytes that one reader gets in a second. */
  readonly bytes: number;
  readonly frames: number;
}

for (const dialect of dialects) {
  if (process.argv[2] !== undefined && process.argv[2] !== dialect) continue;
  const db = await openCounters(dialect, KEYS);
  const { supervisor, follower, stop } = await openRuntime(db, counter);
  const counts = await StateCounts.open(db.reads, supervisor, follower);
  const stream = new ActorStream({ commits: db.commits, counts, now: Date.now });
  await supervisor.start();
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  new WebSocketServer({ server }).on("connection", (socket) => stream.add(socket, undefined, undefined));
  const readers = new Child("children/readers.ts");
  let commands = 0;

  /** Commands in beats of equal size, for one turn; those of the last beat are answered before it ends. */
  async function steady(): Promise<number> {
    const began = performance.now();
    const asked: Promise<unknown>[] = [];
    for (let beat = 1; beat * BEAT_MS <= TURN_MS; beat++) {
      const size = Math.round((PER_SECOND * BEAT_MS) / 1000);
      asked.push(
        ...Array.from({ length: size }, () => supervisor.ask("counter", anyOf(KEYS), { type: "count" }, origin)),
      );
      await pause(Math.max(0, began + beat * BEAT_MS - performance.now()));
    }
    await Promise.all(asked);
    commands += asked.length;
    return asked.length / ((performance.now() - began) / 1000);
  }

  async function turn(count: number): Promise<Turn> {
    await readers.ask({ do: "open", url: `ws://127.0.0.1:${portOf(server)}`, readers: count }, Heard);
    await readers.ask({ do: "take" }, Heard);
    const [began, before] = [performance.now(), process.cpuUsage()];
    const rate = await steady();
    const { user, system } = process.cpuUsage(before);
    const seconds = (performance.now() - began) / 1000;
    const { bytes, frames } = await readers.ask({ do: "close" }, Heard);
    const each = Math.max(1, count) * seconds;
    return { rate, core: (user + system) / 1e6 / seconds, bytes: bytes / each, frames: frames / each };
  }

  await steady();
  const turns = new Map<number, Turn[]>(READERS.map((count) => [count, []]));
  for (let run = 0; run < RUNS; run++) for (const count of READERS) turns.get(count)?.push(await turn(count));
  const alone = medianOf(turns.get(0) ?? [], ({ core }) => core);
  const rows = [...turns].map(([count, of]): Cell[] => [
    thousands(count),
    medianOf(of, ({ rate }) => rate),
    percent(
      medianOf(of, ({ core }) => core),
      1,
    ),
    count === 0 ? "" : percent(medianOf(of, ({ core }) => core) - alone, 1),
    count === 0 ? "" : medianOf(of, ({ frames }) => frames),
    count === 0 ? "" : medianOf(of, ({ bytes }) => bytes / 1000),
  ]);
  await readers.end();
  stream.stop();
  server.closeAllConnections();
  server.close();
  await stop();
  await checkBooks(db.reads, KEYS, commands);
  printTable(
    `${thousands(PER_SECOND)} transitions a second, ${dialect}, medians of ${RUNS} turns of ${TURN_MS / 1000} s`,
    ["readers", "transitions/s", "of a core", "for the readers", "frames/s each", "kB/s each"],
    rows,
  );
  await db.dispose();
}
