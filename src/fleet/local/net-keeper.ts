// Starts the net keeper of a local agent: the process that changes the kernel's network for it, as a user of its own
// with CAP_NET_ADMIN and nothing else. Its socket lies in the agent's directory, into which only that agent's user
// gets, and is opened here: the keeper needs no directory at all.
//
// A keeper outlives the panel as its agent does. The next panel replaces it by one that hears of the
// node's ports from that panel.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, openSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { basename } from "node:path";
import { z } from "zod";
import { startTimeOf, userOf } from "../../lib/proc.ts";
import { KeeperWord, type PanelWord } from "../../protocol/net-keeper.ts";
import { openLog } from "./agent-home.ts";
import { isAlive, signalProcess } from "./agent-process.ts";
import type { Stage } from "./agent-stage.ts";
import { isAgentUser, keeperWordsFor } from "./agent-user.ts";

/** Name of the socket in the agent's directory. */
export const KEEPER_SOCKET = "net.sock";

const Kept = z.object({ pid: z.int().positive(), startedAt: z.string() });
type Kept = z.infer<typeof Kept>;

export interface NetKeeperOptions {
  /** Ports of the inbounds that a node has now. */
  readonly publicPorts: (nodeId: number) => Promise<readonly number[]>;
  readonly log: (level: "info" | "warn" | "error", message: string, fields: Record<string, unknown>) => void;
}

export class NetKeepers {
  readonly #options: NetKeeperOptions;
  readonly #children = new Map<string, ChildProcess>();

  constructor(options: NetKeeperOptions) {
    this.#options = options;
  }

  /** Whether this panel's keeper of an agent runs. */
  runs(home: string): boolean {
    const child = this.#children.get(home);
    return child !== undefined && child.exitCode === null && child.signalCode === null && child.connected;
  }

  /**
   * Puts a keeper in the place of the one before. Resolves to false where there can be none: the panel lacks the right
   * itself.
   */
  async start(home: string, uid: number, stage: Stage, env: Readonly<Record<string, string>>): Promise<boolean> {
    const words = keeperWordsFor(uid);
    if (!words) return false;
    this.end(home);
    const ports = await this.#options.publicPorts(nodeOf(home));
    const server = await listenIn(home);
    try {
      const child = startProcess(home, uid, [...words, stage.node, stage.main], env);
      this.#children.set(home, child);
      child.on("error", (error) =>
        this.#options.log("error", "a net keeper cannot be started", { home, error: String(error) }),
      );
      child.on("message", (message) => {
        if (KeeperWord.safeParse(message).success) void this.#tellPorts(home, child);
      });
      await say(child, { type: "serve", ports: [...ports] }, server);
      if (child.pid !== undefined) writeKept(home, { pid: child.pid, startedAt: startTimeOf(child.pid) ?? "" });
      return true;
    } finally {
      server.close();
    }
  }

  /** Ends the keeper of an agent, whichever panel started it. What it keeps in the kernel stays. */
  end(home: string): void {
    this.#children.delete(home);
    const kept = readKept(home);
    // Before it became another user it was root's.
    if (kept && isAlive({ ...kept, listen: "" }) && (isAgentUser(userOf(kept.pid) ?? 0) || userOf(kept.pid) === 0))
      signalProcess(kept.pid, "SIGKILL");
    rmSync(keptFile(home), { force: true });
  }

  async #tellPorts(home: string, child: ChildProcess): Promise<void> {
    try {
      await say(child, { type: "ports", ports: [...(await this.#options.publicPorts(nodeOf(home)))] });
    } catch (error) {
      this.#options.log("warn", "a net keeper was not told the ports of its node", { home, error: String(error) });
    }
  }
}

function startProcess(
  home: string,
  uid: number,
  words: readonly [string, ...string[]],
  env: Readonly<Record<string, string>>,
): ChildProcess {
  const [program, ...before] = words;
  const leading = [...before, "net-keeper", "--uid", String(uid), "--group", String(uid), "--home", home];
  const output = openLog(home);
  try {
    const child = spawn(program, leading, {
      cwd: "/",
      detached: true,
      env,
      stdio: ["ignore", output, output, "ipc"],
    });
    child.unref();
    child.channel?.unref();
    return child;
  } finally {
    closeSync(output);
  }
}

/**
 * The socket takes its name in one step, whatever lies there. The directory is its agent's: it is opened once, and
 * nothing in it is followed.
 */
async function listenIn(home: string): Promise<Server> {
  const directory = openSync(home, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  const fresh = `/proc/self/fd/${directory}/${KEEPER_SOCKET}.new`;
  const server = createServer((socket) => socket.destroy());
  try {
    rmSync(fresh, { force: true });
    const listening = once(server, "listening");
    // The directory says who may connect. A change of mode by name could be led elsewhere.
    const mask = process.umask(0);
    server.listen(fresh);
    process.umask(mask);
    await listening;
    renameSync(fresh, `/proc/self/fd/${directory}/${KEEPER_SOCKET}`);
    return server;
  } catch (error) {
    server.close();
    throw error;
  } finally {
    closeSync(directory);
  }
}

async function say(child: ChildProcess, word: PanelWord, server?: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    child.send(word, server, undefined, (error) => (error ? reject(error) : resolve()));
  });
}

const nodeOf = (home: string) => Number(basename(home));

/** In the panel's own directory: next to the agent's. */
const keptFile = (home: string) => `${home}.keeper`;

function writeKept(home: string, kept: Kept): void {
  writeFileSync(`${keptFile(home)}.new`, JSON.stringify(kept), { mode: 0o600 });
  renameSync(`${keptFile(home)}.new`, keptFile(home));
}

/** Undefined when there is none, or none of ours. */
function readKept(home: string): Kept | undefined {
  try {
    return Kept.parse(JSON.parse(readFileSync(keptFile(home), "utf8")));
  } catch {
    return undefined;
  }
}
