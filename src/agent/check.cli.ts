// `signalbox agent --check`: what of an agent would work here, found out without starting one.
import { existsSync, readFileSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { createServer } from "node:net";
import { once } from "node:events";
import { dirname, resolve } from "node:path";
import { addressProblem } from "./address-problem.ts";
import { directoryProblem, writeProblem } from "./data-directory.ts";
import { isLocked } from "./directory-lock.ts";
import type { DriverFactory, EngineInfo } from "./engines/contract/driver.ts";
import { chooseEngine } from "./engines/index.ts";
import { portMapObjection, speedLimitObjection } from "./engines/portmap/index.ts";
import { probeSockets } from "./engines/process/view/sockets.ts";
import type { AgentSettings } from "./settings.ts";
import { clockProblems, readTrust } from "./trust.ts";

/** `ok` works; `off` does not, and the rest runs without it; `FAIL` keeps the agent from starting or from its panel. */
type Verdict = "ok" | "off" | "FAIL";

/** Bits of Linux capabilities, by name. */
const CAPABILITIES = { CAP_NET_BIND_SERVICE: 10, CAP_NET_ADMIN: 12 } as const;

/**
 * One line for each finding, and whether an agent would start with these settings. Changes nothing. `now` in
 * milliseconds.
 */
export async function checkAgent(
  settings: AgentSettings,
  factories: readonly DriverFactory[],
  now: number,
): Promise<{ lines: readonly string[]; works: boolean }> {
  const lines: string[] = [];
  let works = true;
  const say = (verdict: Verdict, what: string): void => {
    if (verdict === "FAIL") works = false;
    lines.push(`${verdict.padEnd(4)} ${what}`);
  };
  if (settings.configFile !== undefined) say("ok", `configuration: ${settings.configFile}`);
  checkTrust(settings.trust, now, say);
  const running = await checkDirectory(settings.data, say);
  await checkAddress(settings.listen, running, say);
  await checkEngines(settings.engine, factories, say);
  await checkRights(say);
  return { lines, works };
}

type Say = (verdict: Verdict, what: string) => void;

function checkTrust(path: string, now: number, say: Say): void {
  try {
    const trust = readTrust(path);
    const problems = clockProblems(trust, now);
    for (const problem of problems) say("FAIL", problem);
    if (problems.length === 0) say("ok", `trust file: ${path}, ${trust.certificates.length} certificate(s)`);
  } catch (error) {
    say("FAIL", textOf(error));
  }
}

/** Resolves to whether an agent runs on the directory. */
async function checkDirectory(path: string, say: Say): Promise<boolean> {
  const there = existsSync(path);
  const obstacle = there ? undefined : writeProblem(ancestorOf(path));
  const problem = there ? directoryProblem(path) : obstacle && `the data directory ${path} cannot be made: ${obstacle}`;
  if (problem !== undefined) {
    say("FAIL", problem);
    return false;
  }
  const { bavail, bsize } = await statfs(there ? path : ancestorOf(path));
  say(
    "ok",
    `data directory: ${path}${there ? "" : " (will be made)"}, ${Math.floor((bavail * bsize) / 1_000_000)} MB free`,
  );
  if (!there) return false;
  const running = await isLocked(path);
  if (running) say("off", `another agent runs on the data directory ${path}: a second one would be refused`);
  return running;
}

/** The nearest folder above that exists. */
function ancestorOf(path: string): string {
  const above = dirname(resolve(path));
  return existsSync(above) ? above : ancestorOf(above);
}

async function checkAddress({ host, port }: AgentSettings["listen"], running: boolean, say: Say): Promise<void> {
  const server = createServer();
  server.listen(port, host);
  try {
    await once(server, "listening");
    say("ok", `address: ${host}:${port} is free`);
  } catch (error) {
    // The agent that runs is who has it.
    if (running) say("off", addressProblem(host, port, error));
    else say("FAIL", addressProblem(host, port, error));
    return;
  }
  server.close();
}

async function checkEngines(
  wanted: AgentSettings["engine"],
  factories: readonly DriverFactory[],
  say: Say,
): Promise<void> {
  for (const factory of factories) {
    if (factory.kind === "none") continue;
    try {
      const info = await factory.probe();
      if (info === undefined) say("off", `engine ${factory.kind}: not usable or not installed`);
      else say("ok", `engine ${describe(info)}`);
    } catch (error) {
      say("off", `engine ${factory.kind}: ${textOf(error)}`);
    }
  }
  try {
    const { info } = await chooseEngine(wanted, factories);
    say("ok", `engine that will run (--engine ${wanted}): ${info.kind}`);
  } catch (error) {
    say("FAIL", textOf(error));
  }
}

function describe({ kind, version, tags }: EngineInfo): string {
  return `${kind} ${version}${tags.length === 0 ? "" : ` (${tags.join(", ")})`}`;
}

async function checkRights(say: Say): Promise<void> {
  const held = capabilities();
  for (const [name, bit] of Object.entries(CAPABILITIES)) {
    const has = ((held >> BigInt(bit)) & 1n) === 1n;
    const need =
      bit === CAPABILITIES.CAP_NET_ADMIN
        ? "cutting connections of removed users, the port map"
        : "listening on ports below 1024";
    say(has ? "ok" : "off", `right ${name}: ${has ? "held" : "missing"}; it is for ${need}`);
  }
  const sockets = await probeSockets();
  say(
    sockets.list ? "ok" : "off",
    `ss: who is connected ${sockets.list ? "can be told" : "cannot be told (install iproute2)"}`,
  );
  say(
    sockets.close ? "ok" : "off",
    `ss -K: connections ${sockets.close ? "can be cut" : "cannot be cut (needs CAP_NET_ADMIN and a kernel with INET_DIAG_DESTROY)"}`,
  );
  const [map, limits] = [await portMapObjection(), await speedLimitObjection()];
  say(map === undefined ? "ok" : "off", `nft: the port map, for changes without a cut connection: ${map ?? "works"}`);
  say(limits === undefined ? "ok" : "off", `nft: users' speed limits: ${limits ?? "work"}`);
}

/** Effective capabilities of this process; none where the system does not say. */
function capabilities(): bigint {
  try {
    const match = /^CapEff:\s*([0-9a-f]+)$/m.exec(readFileSync("/proc/self/status", "utf8"));
    return BigInt(`0x${match?.[1] ?? "0"}`);
  } catch {
    return 0n; // No /proc: not Linux.
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
