// A process of hostile agents: one port, a node for each address that is dialled, and each of them says random and
// crafted things of one sort for as long as it is linked.
//
// Sorts: `wrong` messages of every kind, `flood`s of lawful ones, `giant` batches of rows that are nobody's, `pings`
// and fragments, `silent` ones that read nothing, `raw` bytes that are no WebSocket. The seed decides what is said.
import { randomUUID } from "node:crypto";
import { honest, HostileAgent, type HostileLink } from "./hostile-agent.ts";

export interface StormData {
  readonly trust: string;
  readonly trustFile: string;
  readonly seed: number;
}

export const SORTS = ["wrong", "flood", "giant", "pings", "silent", "raw"] as const;
export type Sort = (typeof SORTS)[number];

/** `127.0.9.<n>`: the sort of agent that answers there. */
export function sortOf(address: string): Sort {
  return SORTS[Number(address.split(".")[3]) % SORTS.length] ?? "wrong";
}

/** Mulberry32: the same numbers in every run, so that a failure can be repeated. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const { trust, trustFile, seed } = JSON.parse(process.argv[2] ?? "") as StormData;
const random = generator(seed);
const below = (n: number): number => Math.floor(random() * n);
const pick = <T>(items: readonly T[]): T => items[below(items.length)] as T;
const text = (): string =>
  pick([
    "",
    "x",
    "\u0000",
    "\ud800",
    "../../etc/passwd",
    "\u202eabc",
    "x".repeat(below(100_000)),
    "'; drop table nodes; --",
  ]);
const figure = (): unknown => pick([0, -1, 1.5, 2 ** 53, 1e308, null, "1", below(1000), 2 ** 53 - 1]);
/** Rows as an agent's, of accounts and inbounds that there are not. */
const rows = (many: number): number[][] =>
  Array.from({ length: many }, () =>
    Array.from({ length: 5 }, (_, cell) => 1000 + below(cell < 2 ? 1_000_000 : 2 ** 30)),
  );
const wrongRows = (many: number): unknown[][] =>
  Array.from({ length: many }, () => Array.from({ length: below(7) }, figure));
const value = (depth = 0): unknown =>
  depth > 4 || random() < 0.3
    ? pick([figure, text])()
    : random() < 0.5
      ? Array.from({ length: below(20) }, () => value(depth + 1))
      : { [text()]: value(depth + 1) };

/** One wrong message. */
function wrong(link: HostileLink): string | Buffer {
  const request = (method: string, params: unknown) => JSON.stringify({ jsonrpc: "2.0", id: below(5), method, params });
  const make = pick<() => string | Buffer>([
    () => "{".repeat(below(1000)),
    () => "[".repeat(below(2_000_000)),
    () => `${"[".repeat(200_000)}${"]".repeat(200_000)}`,
    () => `{${Array.from({ length: 100_000 }, (_, n) => `"k${n}":0`).join(",")}}`,
    () => `[${"{},".repeat(1_500_000)}{}]`,
    () => Buffer.alloc(below(100_000), below(256)),
    () => request(text(), value()),
    () => request("usage", value()),
    () => request("usage", { bootId: link.bootId, seq: 1, from: 0, to: 0, rows: wrongRows(100_000), up: 0, down: 0 }),
    () =>
      request("heartbeat", link.heartbeat({ [pick(["live", "applied", "warnings", "online", "engine"])]: value() })),
    () => JSON.stringify({ jsonrpc: "2.0", id: figure(), result: value() }),
    () => JSON.stringify({ jsonrpc: "2.0", id: figure(), error: value() }),
    () => JSON.stringify({ jsonrpc: "2.0", id: 1, method: "usage", params: {}, pad: "x".repeat(8_000_000) }),
  ]);
  return make();
}

/** Made before the storm: what takes long to make would leave the panel in peace. */
const large = Array.from({ length: 3 }, () => rows(150_000));
const wrongs = new Map<number, string | Buffer>();
function anyWrong(link: HostileLink): string | Buffer {
  const number = below(60);
  const made = wrongs.get(number) ?? wrong(link);
  wrongs.set(number, made);
  return made;
}

let said = 0;
function speak(link: HostileLink): void {
  said++;
  switch (sortOf(link.address)) {
    case "wrong":
    case "raw":
      return link.send(anyWrong(link));
    case "flood":
      for (let n = 0; n < 50; n++) {
        const warnings = Array.from({ length: below(30) }, text);
        link.notify(
          "heartbeat",
          link.heartbeat({ online: below(2 ** 40), warnings: warnings.map((warning) => warning.slice(0, 200)) }),
        );
      }
      return void link.usage(rows(below(200)), below(1000) + 1, random() < 0.5 ? randomUUID() : link.bootId);
    case "giant":
      return void link.usage(pick(large), below(1000) + 1);
    case "pings":
      for (let n = 0; n < 500; n++) link.socket.ping("x".repeat(100));
      for (let n = 0; n < 50; n++) link.socket.send("", { fin: n === 49 });
      return;
    case "silent":
      link.socket.pause();
      for (let n = 0; n < 50; n++) void link.usage([], 1);
  }
}

const agent = await HostileAgent.start(trust, trustFile, `storm ${seed}`);
agent.behaviour = (address) => ({
  answer: (call, link) => {
    // Now and then an answer of another kind, of any size.
    if (call.method === "hello" || sortOf(address) !== "wrong" || random() < 0.8) return honest;
    return random() < 0.5 ? { ...(link.honest(call) as object), [text()]: value() } : value();
  },
  synced: (link) => {
    const timer = setInterval(() => {
      if (link.socket.readyState !== 1) return clearInterval(timer);
      // What is not taken is not said: a process that keeps gigabytes of its own would prove nothing.
      if (link.socket.bufferedAmount < 8_000_000) speak(link);
    }, 20);
  },
});
process.on("disconnect", () => process.exit(0));
process.send?.({ port: agent.port });
setInterval(() => process.send?.({ said, dials: agent.dials.length }), 200);
