// Datagrams through a SOCKS5 proxy, and a target that sends them back.
import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { connect } from "node:net";

/** Sends every datagram back. */
export async function startEcho(): Promise<{ port: number; close(): void }> {
  const socket = createSocket("udp4", (message, from) => socket.send(message, from.port, from.address));
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  return { port: socket.address().port, close: () => socket.close() };
}

/** Datagrams to a loopback port, one every 50 ms, until closed. `answers`: how many have come back. */
export interface Ping {
  answers(): number;
  close(): void;
}

export async function startPing(proxyPort: number, port: number): Promise<Ping> {
  const control = connect(proxyPort, "127.0.0.1");
  control.on("error", () => undefined);
  const ask = async (bytes: number[]): Promise<Buffer> => {
    control.write(Buffer.from(bytes));
    const [answer]: Buffer[] = await once(control, "data");
    return answer ?? Buffer.alloc(0);
  };
  await once(control, "connect");
  await ask([5, 1, 0]);
  const granted = await ask([5, 3, 0, 1, 0, 0, 0, 0, 0, 0]);
  if (granted[1] !== 0) throw new Error("the proxy grants no datagrams");
  const relay = granted.readUInt16BE(8);
  const socket: Socket = createSocket("udp4");
  let answers = 0;
  socket.on("message", () => (answers += 1));
  const message = Buffer.from([0, 0, 0, 1, 127, 0, 0, 1, port >> 8, port & 255, ...Buffer.from("ping")]);
  const timer = setInterval(() => socket.send(message, relay, "127.0.0.1"), 50);
  return {
    answers: () => answers,
    close: () => {
      clearInterval(timer);
      socket.close();
      control.destroy();
    },
  };
}
