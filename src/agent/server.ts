// The agent as a whole: where its parts meet. It stores everything in one data directory.
import { randomUUID } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "pino";
import { HEARTBEAT_SECONDS } from "../protocol/messages.ts";
import type { EngineKind, PanelParams } from "../protocol/messages.ts";
import { Activity } from "./activity.ts";
import { AgentNode } from "./agent-node.ts";
import { prepareDirectory } from "./data-directory.ts";
import { DesiredStore } from "./desired-store.ts";
import { lockDirectory } from "./directory-lock.ts";
import { EngineRunner } from "./engine-runner.ts";
import type { DriverFactory } from "./engines/contract/driver.ts";
import { chooseEngine } from "./engines/index.ts";
import { openFence } from "./fence.ts";
import { HostMeter } from "./host.ts";
import { loadAgentId, loadIdentity } from "./identity.ts";
import { Ledger } from "./ledger.ts";
import { NodeLinks } from "./links.ts";
import { listen } from "./listener.ts";
import { Meter } from "./meter.ts";
import { problemLog } from "./problem-log.ts";
import type { OpenRecordFile } from "./record-log.ts";
import { clockProblems, readTrust } from "./trust.ts";

const READ_INTERVAL_MS = 2000;
/** Between two tries to write down what the disk refused. The ledger tries with every reading. */
const MEND_INTERVAL_MS = 5000;

export interface AgentOptions {
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
  readonly dataDirectory: string;
  /** PEM that the panel's client certificate must chain to. */
  readonly trustFile: string;
  readonly engine: "auto" | EngineKind;
  readonly privateTargets: "block" | "allow";
  readonly factories: readonly DriverFactory[];
  readonly log: Logger;
  readonly readIntervalMs?: number;
  readonly heartbeatMs?: number;
  readonly mendIntervalMs?: number;
  /** Milliseconds. */
  readonly now?: () => number;
  /** How ledger and desired state are opened, for tests of a disk that refuses. */
  readonly openFile?: OpenRecordFile;
}

export interface RunningAgent {
  /** `HOST:PORT` */
  readonly address: string;
  readonly port: number;
  /** What the panel pins. */
  readonly fingerprint: string;
  /** Resolves once the engine serves the stored state, or has refused it for the first time. */
  readonly ready: Promise<void>;
  /** Reads the trust file again, if it changed; to whether it can be used. Connections stay. */
  reload(): boolean;
  /**
   * Last reading into the ledger, then the engine is ended (`stop`, the default) or left running for the next agent
   * (`detach`). Within 5 s.
   */
  stop(engine?: "stop" | "detach"): Promise<void>;
}

/**
 * Starts an agent and resolves once it listens. Rejects with a sentence when the directory is in use, the trust file or
 * the address cannot be used, or the engine is missing.
 */
export async function startAgent(options: AgentOptions): Promise<RunningAgent> {
  const { dataDirectory, log, now = Date.now } = options;
  const trust = readTrust(options.trustFile);
  await prepareDirectory(dataDirectory);
  const unlock = await lockDirectory(dataDirectory);
  // No reason not to start: a clock is often set a while after the boot, and what is stored can be served meanwhile.
  for (const problem of clockProblems(trust, now())) log.error(problem);
  try {
    return await startLocked(options, now, unlock, problemLog(log, now));
  } catch (error) {
    await unlock();
    throw error;
  }
}

async function startLocked(
  options: AgentOptions,
  now: () => number,
  unlock: () => Promise<void>,
  onProblem: (problem: string, error?: unknown) => void,
): Promise<RunningAgent> {
  const { dataDirectory, log } = options;
  const files = { onProblem, ...(options.openFile === undefined ? {} : { openFile: options.openFile }) };
  const identity = await loadIdentity(dataDirectory, now());
  const agentId = await loadAgentId(dataDirectory, randomUUID);
  const choice = await chooseEngine(options.engine, options.factories);
  const engineDirectory = join(dataDirectory, "engine", choice.info.kind);
  await mkdir(engineDirectory, { recursive: true, mode: 0o700 });
  const fence = await openFence(join(dataDirectory, "fence.json"), onProblem);
  const ledger = await Ledger.open({ path: join(dataDirectory, "ledger.log"), newBootId: randomUUID, ...files });
  const store = await DesiredStore.open({ path: join(dataDirectory, "desired.log"), ...files });
  const activity = new Activity();
  // Said by the panel on every link; until then what was always so.
  let rules: PanelParams<"rules.set"> = { ipLimitNewest: false };
  const runner = new EngineRunner({
    choice,
    store,
    onProblem,
    context: {
      directory: engineDirectory,
      privateTargets: options.privateTargets,
      ipLimitNewest: () => rules.ipLimitNewest,
      now,
      log: (level, message, fields) => log[level]({ engine: choice.info.kind, ...fields }, message),
    },
    readCounters: () => meter.read(),
    onStatus: () => node.tell("status"),
  });
  const meter = new Meter({
    counters: () => runner.counters(),
    ledger,
    activity,
    intervalMs: options.readIntervalMs ?? READ_INTERVAL_MS,
    now,
    onBatch: () => node.tell("usage"),
    onProblem,
  });
  const node = new AgentNode({
    agentId,
    fence,
    runner,
    store,
    ledger,
    activity,
    host: new HostMeter(dataDirectory),
    setRules: (said) => (rules = said),
    now,
  });
  const heartbeatMs = options.heartbeatMs ?? HEARTBEAT_SECONDS * 1000;
  const links = new NodeLinks({
    node,
    times: { heartbeatMs, heartbeatPhaseMs: heartbeatMs },
    onProblem,
    onWriter: (nodeId) => log.info({ nodeId }, "a panel holds this node"),
  });
  const listener = await listen({
    identity,
    trustFile: options.trustFile,
    host: options.host,
    port: options.port,
    onCaller: (caller) => links.accept(caller),
    onProblem,
  });
  const ready = runner.start().catch((error: unknown) => onProblem("the engine could not be started", error));
  meter.start();
  const mending = setInterval(
    () => void Promise.all([fence.mend(), runner.mend()]),
    options.mendIntervalMs ?? MEND_INTERVAL_MS,
  );
  const address = `${options.host.includes(":") ? `[${options.host}]` : options.host}:${listener.port}`;
  log.info({ address, engine: choice.info.kind, version: choice.info.version }, "agent listens");
  let stopping: Promise<void> | undefined;
  const stop = async (engine: "stop" | "detach"): Promise<void> => {
    meter.stop();
    clearInterval(mending);
    links.close();
    await runner.close(engine);
    await store.mend();
    await Promise.all([ledger.close(), store.close(), listener.close()]);
    await unlock();
  };
  return {
    address,
    port: listener.port,
    fingerprint: identity.fingerprint,
    ready,
    reload: () => listener.reload(),
    stop: (engine = "stop") => (stopping ??= stop(engine)),
  };
}
