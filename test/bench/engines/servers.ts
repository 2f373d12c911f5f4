// The same inbounds served twice by one engine: through its driver, and by the smallest configuration that its own
// documentation would write.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { engineFactories } from "../../../src/agent/engines/all.ts";
import type { DriverContext, EngineDriver } from "../../../src/agent/engines/contract/driver.ts";
import { desired, inbound, planUser, tcpConnect, until } from "../../agent/embedded/harness.ts";
import { selfSigned } from "../../certificate.ts";
import { quietPorts } from "../../quiet-ports.ts";

export const ENGINES = ["xray", "sing-box", "v2ray"] as const;
export type Engine = (typeof ENGINES)[number];

export const USER = planUser(1);
export const PEM = await selfSigned("node.test");
const lines = (pem: string): string[] => pem.trim().split("\n");

/** A driver of an engine in a directory of its own; undefined where the engine is not installed. */
export async function startDriver(
  engine: Engine,
  log: DriverContext["log"] = () => {},
): Promise<{ driver: EngineDriver; end: () => Promise<void> } | undefined> {
  const factory = engineFactories.find(({ kind }) => kind === engine);
  const info = await factory?.probe();
  if (!factory || !info) return undefined;
  const directory = mkdtempSync(join(tmpdir(), "signalbox-bench-"));
  const driver = factory.create(info, {
    directory,
    privateTargets: "allow",
    log,
    onStatus: () => {},
    now: () => Date.now(),
  });
  await driver.adopt();
  return {
    driver,
    end: async () => {
      await driver.close("stop");
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** The plan's side: vless on one port, vless with TLS on the other. */
export function planned([plain, tls]: readonly [number, number], users = [USER]): ReturnType<typeof desired> {
  return desired([inbound(1, "vless", plain), inbound(2, "vless", tls, { tls: { enabled: true, ...PEM } })], users);
}

function minimal(engine: Engine, [plain, tls]: readonly [number, number]): object {
  if (engine === "sing-box") {
    const users = [{ uuid: USER.uuid }];
    const inbounds = [
      { type: "vless", listen: "127.0.0.1", listen_port: plain, users },
      {
        type: "vless",
        listen: "127.0.0.1",
        listen_port: tls,
        users,
        tls: { enabled: true, certificate: lines(PEM.certificate), key: lines(PEM.key) },
      },
    ];
    return { log: { level: "error" }, inbounds, outbounds: [{ type: "direct" }] };
  }
  const settings = { clients: [{ id: USER.uuid }], decryption: "none" };
  const tlsSettings = { certificates: [{ certificate: lines(PEM.certificate), key: lines(PEM.key) }] };
  return {
    log: { loglevel: "error", access: "none" },
    inbounds: [
      { listen: "127.0.0.1", port: plain, protocol: "vless", settings },
      { listen: "127.0.0.1", port: tls, protocol: "vless", settings, streamSettings: { security: "tls", tlsSettings } },
    ],
    // Xray's own default closes private targets, which is where the bench's source is.
    outbounds: [{ protocol: "freedom", settings: engine === "xray" ? { finalRules: [{ action: "allow" }] } : {} }],
  };
}

const ARGUMENTS: Readonly<Record<Engine, readonly string[]>> = {
  xray: ["run", "-c", "stdin:"],
  "sing-box": ["run", "-c", "stdin"],
  v2ray: ["-config", "stdin:"],
};

async function start(program: Engine, config: object, ports: readonly number[]): Promise<ChildProcess> {
  const child = spawn(program, [...ARGUMENTS[program]], { stdio: ["pipe", "ignore", "ignore"] });
  child.stdin?.end(JSON.stringify(config));
  for (const port of ports) {
    await until(async () =>
      tcpConnect(port).then(
        (socket) => Boolean(socket.destroy()),
        () => false,
      ),
    );
  }
  return child;
}

export async function startMinimal(engine: Engine, ports: readonly [number, number]): Promise<ChildProcess> {
  return start(engine, minimal(engine, ports), ports);
}

/** One client for all servers, so that it is no part of a ratio: v2ray, a SOCKS port for each server port. */
export async function startClient(
  servers: readonly { port: number; tls: boolean }[],
): Promise<{ socks: number[]; end: () => Promise<void> }> {
  const socks = await quietPorts(servers.length);
  const config = {
    log: { loglevel: "error", access: "none" },
    inbounds: socks.map((port, index) => ({
      tag: `s${index}`,
      listen: "127.0.0.1",
      port,
      protocol: "socks",
      settings: { auth: "noauth" },
    })),
    outbounds: servers.map(({ port, tls }, index) => ({
      tag: `o${index}`,
      protocol: "vless",
      settings: { vnext: [{ address: "127.0.0.1", port, users: [{ id: USER.uuid, encryption: "none" }] }] },
      streamSettings: tls ? { security: "tls", tlsSettings: { allowInsecure: true, serverName: "node.test" } } : {},
    })),
    routing: {
      rules: socks.map((_, index) => ({ type: "field", inboundTag: [`s${index}`], outboundTag: `o${index}` })),
    },
  };
  const child = await start("v2ray", config, socks);
  return {
    socks,
    end: async () => {
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}
