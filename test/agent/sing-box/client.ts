// A real sing-box client: a SOCKS port without login for each outbound, and datagrams through it.
import { spawn } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { connect } from "node:net";
import { canConnect, type Client, type ClientOutbound, ports, until } from "../engines/rig.ts";
import { afterQuiet } from "../../stopwatch.ts";

/** How long a proxy may take to grant an association, on a quiet machine. */
const ASSOCIATE_MS = 10_000;

/** Each is an outbound of sing-box without its tag; those that others name by `detour` carry a tag of their own. */
export async function startSingBoxClient(
  outbounds: readonly ClientOutbound[],
  beside: readonly ClientOutbound[] = [],
): Promise<Client> {
  const socks = await ports(outbounds.length);
  const config = {
    log: { level: "fatal" },
    inbounds: socks.map((port, index) => ({ type: "socks", tag: `s${index}`, listen: "127.0.0.1", listen_port: port })),
    outbounds: [
      ...outbounds.map((outbound, index) => ({ server: "127.0.0.1", ...outbound, tag: `o${index}` })),
      ...beside,
    ],
    route: { rules: outbounds.map((_, index) => ({ inbound: `s${index}`, outbound: `o${index}` })) },
  };
  const child = spawn("sing-box", ["run", "--disable-color", "-c", "stdin"], { stdio: ["pipe", "ignore", "inherit"] });
  child.stdin.end(JSON.stringify(config));
  await until("the client listens", async () =>
    (await Promise.all(socks.map(async (port) => canConnect(port)))).every(Boolean),
  );
  return {
    ports: socks,
    end: async () => {
      if (child.exitCode !== null) return;
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}

export interface Datagrams {
  /** Sends one to an IPv4 address and resolves to the answer; undefined when none came in time. */
  ask(address: string, port: number, text: string, ms?: number): Promise<string | undefined>;
  close(): void;
}

/** One socket of a client's program: all its datagrams go through one association of the SOCKS proxy. */
export async function associate(proxyPort: number): Promise<Datagrams> {
  const control = connect(proxyPort, "127.0.0.1");
  const late = afterQuiet(ASSOCIATE_MS, () => control.destroy(new Error("the proxy does not answer")));
  const refused = new Promise<never>((_, reject) => {
    control.once("error", reject);
    control.once("close", () => reject(new Error("the proxy closed the association")));
  });
  refused.catch(() => undefined);
  const answer = async (bytes: number[]): Promise<Buffer> => {
    const came = once(control, "data");
    control.write(Buffer.from(bytes));
    const [data]: unknown[] = await Promise.race([came, refused]);
    return Buffer.isBuffer(data) ? data : Buffer.alloc(0);
  };
  await Promise.race([once(control, "connect"), refused]);
  await answer([5, 1, 0]);
  const relay = (await answer([5, 3, 0, 1, 0, 0, 0, 0, 0, 0])).readUInt16BE(8);
  late();
  const socket = createSocket("udp4");
  return {
    ask: async (address, port, text, ms = 3000) => {
      const came = new Promise<string | undefined>((resolve) => {
        const giveUp = afterQuiet(ms, () => resolve(undefined));
        socket.once("message", (data) => {
          giveUp();
          resolve(data.subarray(10).toString("utf8"));
        });
      });
      const head = [0, 0, 0, 1, ...address.split(".").map(Number), port >> 8, port & 255];
      socket.send(Buffer.concat([Buffer.from(head), Buffer.from(text)]), relay, "127.0.0.1");
      return came;
    },
    close: () => {
      socket.close();
      control.destroy();
    },
  };
}

/** Answers datagrams with themselves; `heard` are those that came. */
export async function startEcho(address = "127.0.0.1"): Promise<{ port: number; heard: string[]; close(): void }> {
  const socket = createSocket("udp4");
  const heard: string[] = [];
  socket.on("message", (data, from) => {
    heard.push(data.toString("utf8"));
    socket.send(data, from.port, from.address);
  });
  socket.bind(0, address);
  await once(socket, "listening");
  return { port: socket.address().port, heard, close: () => socket.close() };
}
