// One agent in this process, on a fresh directory, with a panel identity that it trusts.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { startAgent } from "../../src/agent/server.ts";
import type { AgentOptions, RunningAgent } from "../../src/agent/server.ts";
import type { PlanUser } from "../../src/protocol/plan.ts";
import { makePanelIdentity } from "./panel.ts";
import { TestEngine } from "./test-engine.ts";

export interface AgentFixture {
  readonly directory: string;
  readonly trustFile: string;
  readonly engine: TestEngine;
  readonly agents: readonly RunningAgent[];
  readonly panel: Awaited<ReturnType<typeof makePanelIdentity>>;
  start(options?: Partial<AgentOptions>): Promise<RunningAgent>;
  /** Stops what was started and removes the directory. */
  end(): Promise<void>;
}

export async function agentFixture(): Promise<AgentFixture> {
  const directory = await mkdtemp(join(tmpdir(), "signalbox-agent-"));
  const trustFile = join(directory, "trust.pem");
  const panel = await makePanelIdentity("panel");
  await writeFile(trustFile, panel.trust);
  const engine = new TestEngine();
  const started: RunningAgent[] = [];
  return {
    directory,
    trustFile,
    engine,
    agents: started,
    panel,
    async start(options = {}) {
      const agent = await startAgent({
        host: "127.0.0.1",
        port: 0,
        dataDirectory: join(directory, "data"),
        trustFile,
        engine: "embedded",
        privateTargets: "block",
        factories: [engine.factory],
        log: pino({ level: "silent" }),
        readIntervalMs: 20,
        ...options,
      });
      started.push(agent);
      return agent;
    },
    async end() {
      for (const agent of started) await agent.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

export function planUser(id: number): PlanUser {
  return {
    id,
    uuid: `uuid-${id}`,
    password: `password-${id}`,
    ss16: "",
    ss32: "",
    flow: "",
    speedLimit: 0,
    ipLimit: 0,
  };
}

export function inbound(id: number): {
  [key: string]: { kind: "inbound"; id: number; tag: string; type: string; config: Record<string, unknown> };
} {
  return {
    [`inbound:${id}`]: { kind: "inbound", id, tag: `in-${id}`, type: "vless", config: { listen_port: 1000 + id } },
  };
}
