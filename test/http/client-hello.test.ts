// The ClientHello of real clients, whole, in parts and damaged.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { connect as connectTls, type ConnectionOptions } from "node:tls";
import { beforeAll, describe, expect, test } from "vitest";
import { LONGEST_HELLO, readClientHello } from "../../src/http/listeners/client-hello.ts";
import { hasPrograms } from "../programs.ts";

const HELLO = { serverName: "panel.example", protocols: ["acme-tls/1"] };
const MESSAGE = 5;

/** What a client sends first to a server that says nothing. */
async function captured(speak: (port: number) => { end(): void }): Promise<Buffer> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const arrived = once(server, "connection");
  const client = speak((server.address() as AddressInfo).port);
  const [socket] = await arrived;
  let bytes = Buffer.alloc(0);
  while (typeof readClientHello(bytes) === "string") {
    const [piece] = await once(socket, "data");
    bytes = Buffer.concat([bytes, piece]);
  }
  socket.on("error", () => {}).destroy();
  client.end();
  server.close();
  return bytes;
}

function ofNode(options: ConnectionOptions = {}): Promise<Buffer> {
  return captured((port) => {
    const socket = connectTls({
      port,
      host: "127.0.0.1",
      servername: HELLO.serverName,
      ALPNProtocols: HELLO.protocols,
      ...options,
    });
    socket.on("error", () => {});
    return { end: () => void socket.destroy() };
  });
}

function ofOpenssl(...more: string[]): Promise<Buffer> {
  return captured((port) => {
    const client = spawn(
      "openssl",
      ["s_client", "-connect", `127.0.0.1:${port}`, "-servername", HELLO.serverName, "-alpn", "acme-tls/1", ...more],
      { stdio: ["ignore", "ignore", "ignore"] },
    );
    return { end: () => void client.kill() };
  });
}

/** The same message in records of so many bytes. */
function inRecords(hello: Buffer, size: number): Buffer {
  const message = hello.subarray(MESSAGE);
  const records: Buffer[] = [];
  for (let at = 0; at < message.length; at += size) {
    const piece = message.subarray(at, at + size);
    records.push(Buffer.from([22, 3, 1, piece.length >> 8, piece.length & 255]), piece);
  }
  return Buffer.concat(records);
}

const hellos = new Map<string, Buffer>();
beforeAll(async () => {
  hellos.set("node", await ofNode());
  hellos.set("node, post-quantum", await ofNode({ ecdhCurve: "X25519MLKEM768" }));
  hellos.set("node, TLS 1.2", await ofNode({ maxVersion: "TLSv1.2" }));
  hellos.set(
    "node, many protocols",
    await ofNode({ ALPNProtocols: Array.from({ length: 200 }, (_, n) => `protocol-${n}`) }),
  );
  if (!hasPrograms("hellos of openssl", "openssl")) return;
  hellos.set("openssl", await ofOpenssl());
  hellos.set("openssl, TLS 1.2", await ofOpenssl("-tls1_2"));
});

const each = (check: (hello: Buffer, name: string) => void) => () => {
  expect(hellos.size).toBeGreaterThanOrEqual(4);
  for (const [name, hello] of hellos) check(hello, name);
};

describe("a ClientHello", () => {
  test(
    "says which server and which protocols are wanted",
    each((hello, name) => {
      const protocols = name.includes("many") ? expect.arrayContaining(["protocol-199"]) : HELLO.protocols;
      expect([name, readClientHello(hello)]).toEqual([name, { serverName: HELLO.serverName, protocols }]);
    }),
  );

  test("of post-quantum clients is longer than a packet", () => {
    expect(hellos.get("node, post-quantum")?.length).toBeGreaterThan(1400);
  });

  test(
    "is not there before its last byte is, wherever it is cut, and what follows it changes nothing",
    each((hello) => {
      const whole = readClientHello(hello);
      for (let length = 0; length < hello.length; length++)
        expect([length, readClientHello(hello.subarray(0, length))]).toEqual([length, "more"]);
      expect(readClientHello(Buffer.concat([hello, Buffer.alloc(500, 0xff)]))).toEqual(whole);
    }),
  );

  test(
    "may lie in several records",
    each((hello) => {
      const whole = readClientHello(hello);
      for (const size of [hello.length - MESSAGE - 1, 1000, 500, 200]) {
        const bytes = inRecords(hello, size);
        expect([size, readClientHello(bytes)]).toEqual([size, whole]);
        for (let length = 0; length < bytes.length; length += 7)
          expect(readClientHello(bytes.subarray(0, length))).toBe("more");
      }
      // So many that each packet would be dear: nobody's client does that.
      expect(readClientHello(inRecords(hello, 1))).toBe("other");
    }),
  );

  test("without a name or protocols says so", async () => {
    const nameless = await ofNode({ servername: "", ALPNProtocols: [] });
    expect(readClientHello(nameless)).toEqual({ serverName: "", protocols: [] });
    const capital = await ofNode({ servername: "PANEL.Example" });
    expect(readClientHello(capital)).toMatchObject({ serverName: "panel.example" });
  });

  test.each([
    ["HTTP", Buffer.from("GET / HTTP/1.1\r\n\r\n")],
    ["SSH", Buffer.from("SSH-2.0-OpenSSH_9.2\r\n")],
    ["zeros", Buffer.alloc(64)],
    ["a TLS alert", Buffer.from([21, 3, 1, 0, 2, 1, 0])],
    ["SSL 2", Buffer.from([0x80, 0x2e, 1, 3, 1])],
    ["a ServerHello", Buffer.from([22, 3, 3, 0, 4, 2, 0, 0, 0])],
    ["an empty record", Buffer.from([22, 3, 1, 0, 0])],
    ["a record that is too long", Buffer.from([22, 3, 1, 0xff, 0xff])],
    ["a message that is too long", Buffer.from([22, 3, 1, 0, 4, 1, 0, 0xff, 0xff])],
    ["a body of nothing", Buffer.from([22, 3, 1, 0, 4, 1, 0, 0, 0])],
  ])("is not %s", (_what, bytes) => {
    expect(readClientHello(bytes)).toBe("other");
  });

  test(
    "that is damaged throws nothing and is read in bounds",
    each((hello) => {
      let seed = 7;
      const chance = (below: number) => {
        seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
        return seed % below;
      };
      for (let round = 0; round < 1000; round++) {
        const damaged = Buffer.from(hello);
        for (let hits = 0; hits <= chance(4); hits++) damaged[chance(damaged.length)] = chance(256);
        const cut = damaged.subarray(0, chance(5) === 0 ? chance(damaged.length) : damaged.length);
        const found = readClientHello(cut);
        if (typeof found !== "string") expect(found.serverName.length).toBeLessThan(hello.length);
      }
      expect(LONGEST_HELLO).toBe(16_384);
    }),
  );
});
