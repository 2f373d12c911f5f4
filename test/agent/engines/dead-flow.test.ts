// A client whose link goes down without a word keeps no other address of its account out: real engines, clients in
// network namespaces of their own.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { afterAll, describe, expect, test } from "vitest";
import { embeddedFactory } from "../../../src/agent/engines/embedded/index.ts";
import { installedEngines, type Installed } from "./installed.ts";
import { inbound, ports, startRig, startTarget, structure, until, user, users } from "./rig.ts";

const DRIPPER = new URL("vless-dripper.ts", import.meta.url).pathname;
/** What a client must get to be let in: more than the little before it is put out. */
const SERVED_MS = 4000;
/** A dead address keeps others out for so long at most on a quiet machine: 20 s, and the readings' interval. */
const FREED_MS = 40_000;

const installed = await installedEngines();
const embedded = await embeddedFactory.probe();
const engines: Installed[] = [
  ...installed.filter(({ info }) => info.can.closeSessions),
  ...(embedded ? [{ kind: "embedded", factory: embeddedFactory, info: embedded }] : []),
];
const ip = (...words: string[]): void => void execFileSync("ip", words);

function canMakeNamespaces(): boolean {
  const name = `sb-try-${process.pid}`;
  try {
    ip("netns", "add", name);
    ip("netns", "del", name);
    return true;
  } catch (error) {
    console.warn(`SKIPPED: no network namespaces here: ${String(error)}`);
    return false;
  }
}

/** A namespace whose only link is to this one. */
class Place {
  readonly #name: string;
  readonly gateway: string;
  readonly #veth: string;
  readonly #children: ChildProcess[] = [];

  constructor(at: number) {
    const id = `${(process.pid % 10_000).toString(36)}${at}`;
    this.#name = `sb-${id}`;
    this.#veth = `sbh${id}`;
    // Addresses of their own for each process of tests.
    const net = `10.${100 + (process.pid % 100)}.${at}`;
    this.gateway = `${net}.1`;
    ip("netns", "add", this.#name);
    ip("link", "add", this.#veth, "type", "veth", "peer", "name", "eth0", "netns", this.#name);
    ip("addr", "add", `${net}.1/24`, "dev", this.#veth);
    ip("link", "set", this.#veth, "up");
    ip("-n", this.#name, "addr", "add", `${net}.2/24`, "dev", "eth0");
    ip("-n", this.#name, "link", "set", "eth0", "up");
  }

  /** A client there; `state`: open or closed, bytes of its connection, its age in milliseconds. */
  client(port: number, uuid: string, target: number, what: "drip" | "idle") {
    const words = [this.gateway, port, uuid, target, what].map(String);
    const child = spawn("ip", ["netns", "exec", this.#name, process.execPath, DRIPPER, ...words]);
    this.#children.push(child);
    let state = { open: false, bytes: 0, age: 0 };
    let refused = 0;
    let kept = "";
    child.stdout.on("data", (chunk: Buffer) => {
      const lines = (kept + String(chunk)).split("\n");
      kept = lines.pop() ?? "";
      for (const line of lines) {
        const [word, bytes, age] = line.split(" ");
        if (word === "closed") refused++;
        state = { open: word === "open", bytes: Number(bytes), age: Number(age) };
      }
    });
    return { state: () => state, refused: () => refused };
  }

  /** Without a FIN or a reset. */
  goDark(): void {
    ip("-n", this.#name, "link", "set", "eth0", "down");
  }

  end(): void {
    for (const child of this.#children) child.kill("SIGKILL");
    ip("netns", "del", this.#name);
  }
}

describe.runIf(canMakeNamespaces())("a client that is gone without a word", () => {
  const places: Place[] = [];
  afterAll(() => {
    for (const place of places) place.end();
  });
  const place = (): Place => {
    const made = new Place(places.length + 1);
    places.push(made);
    return made;
  };

  const ways = engines.flatMap((engine) => [
    { ...engine, what: "drip" as const },
    { ...engine, what: "idle" as const },
  ]);
  // rule agents.engine.10
  test.concurrent.each(ways)(
    "$kind, $what: another address enters once it has been silent for twenty seconds",
    { timeout: 300_000 },
    async ({ factory, info, what }) => {
      const rig = await startRig(factory, info);
      const target = await startTarget();
      const limited = user(1, { ipLimit: 1 });
      const [port = 0] = await ports(1);
      try {
        await rig.driver.apply({
          structure: structure(inbound(1, "vless", { listen: "0.0.0.0", listen_port: port })),
          users: users(limited),
        });
        const [here, there] = [place(), place()];
        const first = here.client(port, limited.uuid, target.port, what);
        await until("the first is served", () => first.state().open && first.state().bytes > 0);
        const second = there.client(port, limited.uuid, target.port, "drip");
        await until("the second is refused", () => second.refused() > 1);
        // A client that is there and says nothing keeps its place, as far as its engine asks.
        expect(first.state().open).toBe(true);
        here.goDark();
        const before = second.refused();
        const isServed = ({ open, age, bytes }: ReturnType<typeof second.state>): boolean =>
          open && age > SERVED_MS && bytes > 50_000;
        await until("the second is served", () => isServed(second.state()), FREED_MS);
        expect(second.refused()).toBeGreaterThan(before);
      } finally {
        target.close();
        await rig.end();
      }
    },
  );
});
