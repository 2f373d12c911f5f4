// Throughput of the embedded engine beside v2ray as the server, with the same v2ray client in the same run, and what
// idle connections cost. Run: node bin/node24.mjs test/bench/embedded.ts
import { execFileSync, fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { spawn } from "node:child_process";
import type { Socket } from "node:net";
import { pathToFileURL } from "node:url";
import { fileURLToPath } from "node:url";
import {
  desired,
  endlessTarget,
  inbound,
  planUser,
  readBytes,
  startEngine,
  startV2ray,
  tcpConnect,
  throughSocks,
  tcpTarget,
  until,
  V2RAY,
  v2rayOutbound,
  vlessHead,
} from "../agent/embedded/harness.ts";
import { selfSigned } from "../certificate.ts";
import { quietPorts } from "../quiet-ports.ts";

const SECONDS = 2;
const user = planUser(1);

/** The engine alone in a process, so that nobody else's work or memory is measured. */
async function serveEmbedded(): Promise<void> {
  const { driver } = await startEngine();
  process.on("message", (message: { objects: Parameters<typeof desired>[0] }) => {
    void driver.apply(desired(message.objects, [user])).then(({ warnings }) => process.send?.({ warnings }));
  });
  // A profile (PROFILE=<folder>) is written at an orderly exit only.
  process.on("SIGINT", () => process.exit(0));
  process.send?.("ready");
}

async function forkEngine(objects: Parameters<typeof desired>[0]): Promise<ChildProcess> {
  const profile = process.env["PROFILE"] ? ["--cpu-prof", "--cpu-prof-dir", process.env["PROFILE"]] : [];
  const child = fork(fileURLToPath(import.meta.url), ["serve"], { execArgv: profile });
  await once(child, "message");
  child.send({ objects });
  await once(child, "message");
  return child;
}

/** Megabytes a second through `streams` connections to an endless source. */
async function download(socksPort: number, source: number, streams: number): Promise<number> {
  const sockets: Socket[] = await Promise.all(Array.from({ length: streams }, () => throughSocks(socksPort, source)));
  let bytes = 0;
  for (const socket of sockets) socket.on("data", (chunk: Buffer) => (bytes += chunk.length));
  await new Promise((resolve) => setTimeout(resolve, 300));
  const [from, start] = [bytes, performance.now()];
  await new Promise((resolve) => setTimeout(resolve, SECONDS * 1000));
  const rate = (bytes - from) / 1000 / (performance.now() - start);
  for (const socket of sockets) socket.destroy();
  return rate;
}

async function upload(socksPort: number, streams: number): Promise<number> {
  let bytes = 0;
  const sink = await tcpTarget((socket) => socket.on("data", (chunk: Buffer) => (bytes += chunk.length)));
  const sockets = await Promise.all(Array.from({ length: streams }, () => throughSocks(socksPort, sink.port)));
  const block = Buffer.alloc(64 * 1024, 7);
  for (const socket of sockets) {
    const more = () => {
      while (socket.writable && socket.write(block));
    };
    socket.on("drain", more);
    more();
  }
  await new Promise((resolve) => setTimeout(resolve, 300));
  const [from, start] = [bytes, performance.now()];
  await new Promise((resolve) => setTimeout(resolve, SECONDS * 1000));
  const rate = (bytes - from) / 1000 / (performance.now() - start);
  for (const socket of sockets) socket.destroy();
  sink.close();
  return rate;
}

function cpuSeconds(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

function rssMegabytes(pid: number | undefined): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
}

async function throughput(): Promise<void> {
  const pem = await selfSigned("node.test");
  const [plain = 0, wsTls = 0, rayPlain = 0, rayWsTls = 0, ...socks] = await quietPorts(8);
  const ws = {
    transport: { type: "ws", path: "/tunnel", headers: { Host: "front.test" } },
    tls: { enabled: true, ...pem },
  };
  const embedded = await forkEngine([inbound(1, "vless", plain), inbound(2, "vless", wsTls, ws)]);
  const clients = { clients: [{ id: user.uuid }], decryption: "none" };
  const certificates = [{ certificate: pem.certificate.trim().split("\n"), key: pem.key.trim().split("\n") }];
  const rayWs = {
    network: "ws",
    wsSettings: { path: "/tunnel", headers: { Host: "front.test" } },
    security: "tls",
    tlsSettings: { certificates },
  };
  const ray = spawn(V2RAY, ["-config", "stdin:"], { stdio: ["pipe", "ignore", "ignore"] });
  ray.stdin.end(
    JSON.stringify({
      log: { loglevel: "warning", access: "none" },
      inbounds: [
        { listen: "127.0.0.1", port: rayPlain, protocol: "vless", settings: clients },
        { listen: "127.0.0.1", port: rayWsTls, protocol: "vless", settings: clients, streamSettings: rayWs },
      ],
      outbounds: [{ protocol: "freedom" }],
    }),
  );
  await until(async () =>
    tcpConnect(rayWsTls).then(
      (socket) => Boolean(socket.destroy()),
      () => false,
    ),
  );
  const sides = [plain, wsTls, rayPlain, rayWsTls].map((port, index) =>
    v2rayOutbound("vless", port, user, index % 2 === 1 ? { ws: true, tls: true } : {}),
  );
  const client = await startV2ray(sides.map((outbound, index) => ({ port: socks[index] ?? 0, outbound })));
  const source = await endlessTarget();
  console.log("case                      embedded MB/s   v2ray MB/s   ratio   server CPU s/GB: embedded   v2ray");
  for (const [name, ours, theirs] of [
    ["vless tcp", 0, 2],
    ["vless ws+tls", 1, 3],
  ] as const) {
    for (const streams of [1, 16]) {
      for (const way of ["down", "up"] as const) {
        if (process.env["ONLY"] && !`${name} ${way} x${streams}`.includes(process.env["ONLY"])) continue;
        const measure = async (index: number, server: ChildProcess): Promise<[number, number]> => {
          const cpu = cpuSeconds(server.pid);
          const port = socks[index] ?? 0;
          const rate = await (way === "down" ? download(port, source.port, streams) : upload(port, streams));
          return [rate, ((cpuSeconds(server.pid) - cpu) / (rate * (SECONDS + 0.3))) * 1000];
        };
        const [mine, mineCpu] = await measure(ours, embedded);
        const [reference, referenceCpu] = await measure(theirs, ray);
        const label = `${name} ${way} x${streams}`.padEnd(26);
        console.log(
          `${label}${mine.toFixed(0).padStart(13)}${reference.toFixed(0).padStart(13)}${(mine / reference).toFixed(2).padStart(8)}${mineCpu.toFixed(2).padStart(28)}${referenceCpu.toFixed(2).padStart(8)}`,
        );
      }
    }
  }
  client.kill();
  ray.kill();
  source.close();
  embedded.kill("SIGINT");
}

/** Each connection is a full session: client side, target side, both silent. */
async function idleConnections(count: number): Promise<void> {
  const [port = 0] = await quietPorts(1);
  const embedded = await forkEngine([inbound(1, "vless", port)]);
  const before = rssMegabytes(embedded.pid);
  const target = await tcpTarget((socket) => {
    socket.write("x");
    socket.resume();
  });
  const sockets: Socket[] = [];
  for (let i = 0; i < count; i += 100) {
    const batch = await Promise.all(Array.from({ length: 100 }, () => tcpConnect(port)));
    for (const socket of batch) socket.write(vlessHead(user, target.port));
    await Promise.all(batch.map((socket) => readBytes(socket, 3)));
    sockets.push(...batch);
  }
  console.log(
    `${count} open sessions: ${rssMegabytes(embedded.pid).toFixed(0)} MB resident (${before.toFixed(0)} MB before)`,
  );
  for (const socket of sockets) socket.destroy();
  target.close();
  embedded.kill("SIGINT");
}

if (process.argv[2] === "serve") {
  await serveEmbedded();
} else if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  console.log(execFileSync(V2RAY, ["-version"], { encoding: "utf8" }).split("\n")[0]);
  if (process.argv[2] !== "idle") await throughput();
  await idleConnections(5000);
  process.exit(0);
}
