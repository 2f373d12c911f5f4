// Another user of the panel's machine, without any right, who prepares everything that such a user can.
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { selfSigned } from "../certificate.ts";

/** Not one that a panel gives to an agent. */
export const HOSTILE = 64_321;
const SHADOWED = ["setpriv", "nft", "ss", "node", "xray", "sing-box", "v2ray", "flock", "sh", "prlimit", "ip"];

export class HostileUser {
  /** A folder of their own, in which everybody may write. */
  readonly folder: string;
  readonly #ran: string;
  readonly #met: string;
  readonly #heard: string;
  readonly #processes: ChildProcess[] = [];
  /** What was prepared, for who reads the test's output. */
  readonly prepared: string[] = [];

  constructor() {
    this.folder = mkdtempSync(join(tmpdir(), "signalbox-hostile-"));
    this.#ran = join(this.folder, "ran");
    this.#met = join(this.folder, "met");
    this.#heard = join(this.folder, "heard");
    writeFileSync(this.#ran, "");
    for (const path of [this.folder, this.#ran]) {
      chownSync(path, HOSTILE, HOSTILE);
      chmodSync(path, 0o777);
    }
  }

  /** Shadow programs that ran, each with the user that ran it. */
  get ran(): string {
    return readFileSync(this.#ran, "utf8");
  }

  /** Programs of the names that a panel runs; they write down that they ran. */
  shadows(...path: string[]): string {
    const folder = join(this.folder, ...path);
    mkdirSync(folder, { recursive: true });
    for (const name of SHADOWED) {
      writeFileSync(join(folder, name), `#!/bin/bash\necho "${name} $EUID" >> '${this.#ran}'\nexit 1\n`);
      chmodSync(join(folder, name), 0o755);
      chownSync(join(folder, name), HOSTILE, HOSTILE);
    }
    chownSync(folder, HOSTILE, HOSTILE);
    chmodSync(folder, 0o777);
    this.prepared.push(`shadows of ${SHADOWED.join(", ")} in ${folder}`);
    return folder;
  }

  /** A process that says it is an engine of an agent, with a connection that it holds. */
  fakeEngine(home: string, kind: string): void {
    const script = `const net = require("node:net");
      const server = net.createServer(() => {}).listen(0, "127.0.0.1", () => net.connect(server.address().port, "127.0.0.1"));`;
    this.#start(["-e", script], { SIGNALBOX_ENGINE_DIRECTORY: join(home, "engine", kind) });
    this.prepared.push(`a process with the environment of an engine of ${home}, and a connection`);
  }

  /** A process whose command line is an agent's. */
  fakeAgent(home: string, listen: string): void {
    const script = join(this.folder, "main.ts");
    writeFileSync(script, "setInterval(() => {}, 1000)");
    this.#start([script, "agent", "--listen", listen, "--data", home, "--trust", "panel.pem"], {});
    this.prepared.push(`a process with the command line of the agent of ${home}`);
  }

  /** The abstract names and the sockets in shared folders by which an agent, a keeper or a lock could be known. */
  holdNames(homes: readonly string[]): void {
    const names = homes.flatMap((home) => {
      const digest = createHash("sha256").update(home).digest("hex");
      return [`signalbox-agent-${digest}`, `signalbox-net-keeper-${digest}`].map((name) => `\\0${name}`);
    });
    const paths = ["net.sock", "signalbox.sock", "signalbox-net-keeper.sock"].map((name) => join(this.folder, name));
    const script = `for (const path of ${JSON.stringify([...names, ...paths]).replaceAll(
      "\\\\0",
      "\\0",
    )}) require("node:net").createServer().on("error", () => {}).listen(path);`;
    this.#start(["-e", script], {});
    this.prepared.push(
      `${names.length} abstract sockets with the names of locks, and ${paths.length} in a shared folder`,
    );
  }

  /**
   * Listens where an agent is to listen, before it does, as an agent would: resolves to what ends it. What the panel
   * sends after the handshake is in `heard`.
   */
  async squat(port: number): Promise<() => void> {
    const { certificate, key } = await selfSigned("localhost");
    const script = `const { createHash } = require("node:crypto");
      const { appendFileSync } = require("node:fs");
      const server = require("node:tls").createServer(${JSON.stringify({ cert: certificate, key })}, (socket) => {
        socket.on("error", () => {});
        socket.once("data", (head) => {
          const key = /sec-websocket-key: (.*)\\r/i.exec(head.toString())?.[1] ?? "";
          const accept = createHash("sha1").update(key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest("base64");
          socket.write("HTTP/1.1 101 Switching Protocols\\r\\nUpgrade: websocket\\r\\nConnection: Upgrade\\r\\nSec-WebSocket-Accept: " + accept + "\\r\\n\\r\\n");
          appendFileSync(${JSON.stringify(this.#met)}, "met\\n");
          socket.on("data", (data) => appendFileSync(${JSON.stringify(this.#heard)}, data));
        });
      });
      server.listen(${port}, "127.0.0.1");`;
    const child = this.#start(["-e", script], {});
    this.prepared.push(`a program that answers as an agent does on port ${port}`);
    while (!(await isOpen(port))) await pause(50);
    return () => {
      this.#processes.splice(this.#processes.indexOf(child), 1);
      child.kill("SIGKILL");
    };
  }

  /** How often the panel greeted a false agent, and what it told it. */
  get met(): number {
    return textOf(this.#met).split("\n").length - 1;
  }

  get heard(): string {
    return textOf(this.#heard);
  }

  /** Runs a command as this user. */
  run(program: string, args: readonly string[], cwd = this.folder): string {
    const { stdout, stderr } = spawnSync("setpriv", [...asHostile(), program, ...args], { cwd, encoding: "utf8" });
    return `${stdout}${stderr}`;
  }

  async dispose(): Promise<void> {
    await Promise.all(
      this.#processes.map(async (child) => {
        if (child.exitCode !== null || child.signalCode !== null) return;
        const gone = new Promise((resolve) => child.once("close", resolve));
        child.kill("SIGKILL");
        await gone;
      }),
    );
    if (existsSync(this.folder)) rmSync(this.folder, { recursive: true, force: true });
  }

  /** How many of their processes are gone: nothing of the panel's may end a process of another user. */
  get ended(): number {
    return this.#processes.filter((child) => child.exitCode !== null || child.signalCode !== null).length;
  }

  #start(args: readonly string[], env: Readonly<Record<string, string>>): ChildProcess {
    const words = [...asHostile(), process.execPath, ...args];
    const child = spawn("setpriv", words, { cwd: this.folder, stdio: "ignore", env: { PATH: "/usr/bin", ...env } });
    this.#processes.push(child);
    return child;
  }
}

async function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  return new Promise((resolve) => {
    socket.once("error", () => resolve(false));
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
  });
}

function textOf(path: string): string {
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

function asHostile(): string[] {
  return [`--reuid=${HOSTILE}`, `--regid=${HOSTILE}`, "--clear-groups", "--inh-caps=-all", "--bounding-set=-all", "--"];
}
