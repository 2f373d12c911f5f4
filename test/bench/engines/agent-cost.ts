// What the agent itself costs while its engine holds a thousand open connections: processor time of the agent's process
// alone, a panel linked to it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { dial, makePanelIdentity } from "../../agent/panel.ts";
import { readBytes, tcpConnect, tcpTarget, vlessHead } from "../../agent/embedded/harness.ts";
import { type Engine, planned, USER } from "./servers.ts";
import { quietPorts } from "../../quiet-ports.ts";

const BYTE = Buffer.from(".");

export interface AgentCost {
  /** Percent of one core. */
  readonly idle: number;
  readonly open: number;
  /** While a panel asks for all sessions once a second. */
  readonly asked: number;
  readonly megabytes: number;
}

function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Each connection carries a byte a second, so that none is idle. `seconds`: how long each figure is measured. */
export async function measureAgentCost(
  engine: Engine | "embedded",
  connections: number,
  seconds: number,
): Promise<AgentCost> {
  const directory = mkdtempSync(join(tmpdir(), "signalbox-bench-"));
  const panel = await makePanelIdentity("panel");
  const trust = join(directory, "trust.pem");
  writeFileSync(trust, panel.trust);
  const command = fileURLToPath(new URL("../../agent/run-command.ts", import.meta.url));
  const options = { listen: "127.0.0.1:0", data: join(directory, "data"), trust, engine, "private-targets": "allow" };
  const argv = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  const agent = spawn(process.execPath, [command, "agent", ...argv], { stdio: ["ignore", "pipe", "ignore"] });
  const [line] = (await once(createInterface({ input: agent.stdout }), "line")) as [string];
  const port = Number(/:(\d+)"/.exec(line)?.[1]);
  const pid = agent.pid ?? 0;
  const link = await dial(port, panel.client);
  await link.hello(1);
  const [plain = 0, tls = 0] = await quietPorts(2);
  await link.peer.call("state.apply", {
    revision: 1,
    objects: { put: planned([plain, tls]).structure, drop: [] },
    users: { put: [USER] },
  });
  const load = async (work = async (): Promise<unknown> => undefined): Promise<number> => {
    const [cpu, from] = [cpuSeconds(pid), performance.now()];
    for (let second = 0; second < seconds; second += 1) await Promise.all([work(), pause(1000)]);
    return ((cpuSeconds(pid) - cpu) / (performance.now() - from)) * 100_000;
  };
  await pause(2000);
  const idle = await load();
  const target = await tcpTarget((socket) => {
    const timer = setInterval(() => socket.write(BYTE), 1000);
    socket.on("close", () => clearInterval(timer));
    socket.write(BYTE);
  });
  const sockets: Socket[] = [];
  while (sockets.length < connections) {
    const batch = await Promise.all(Array.from({ length: 50 }, () => tcpConnect(plain)));
    for (const socket of batch) socket.write(vlessHead(USER, target.port));
    await Promise.all(batch.map((socket) => readBytes(socket, 3)));
    for (const socket of batch) socket.resume();
    sockets.push(...batch);
  }
  const open = await load();
  const asked = await load(() => link.peer.call("sessions.list", { limit: 5000 }));
  const megabytes = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
  for (const socket of sockets) socket.destroy();
  target.close();
  await link.close();
  agent.kill("SIGTERM");
  await once(agent, "exit");
  rmSync(directory, { recursive: true, force: true });
  return { idle, open, asked, megabytes };
}
