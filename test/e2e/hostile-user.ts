// Another user of the panel's machine, without any right, who prepares everything that such a user can.
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Not one that a panel gives to an agent. */
export const HOSTILE = 64_321;
const SHADOWED = ["setpriv", "nft", "ss", "node", "xray", "sing-box", "v2ray", "flock", "sh", "prlimit", "ip"];

export class HostileUser {
  /** A folder of their own, in which everybody may write. */
  readonly folder: string;
  readonly #ran: string;
  readonly #processes: ChildProcess[] = [];
  /** What was prepared, for who reads the test's output. */
  readonly prepared: string[] = [];

  constructor() {
    this.folder = mkdtempSync(join(tmpdir(), "signalbox-hostile-"));
    this.#ran = join(this.folder, "ran");
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
    const script = `for (const path of ${JSON.stringify([...names, ...paths])
      .replaceAll("\\\\0", "\\0")}) require("node:net").createServer().on("error", () => {}).listen(path);`;
    this.#start(["-e", script], {});
    this.prepared.push(`${names.length} abstract sockets with the names of locks, and ${paths.length} in a shared folder`);
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

  /** They all must live on: nothing of the panel's may end a process of another user. */
  get alive(): boolean {
    return this.#processes.every((child) => child.exitCode === null && child.signalCode === null);
  }

  #start(args: readonly string[], env: Readonly<Record<string, string>>): void {
    const words = [...asHostile(), process.execPath, ...args];
    this.#processes.push(spawn("setpriv", words, { cwd: this.folder, stdio: "ignore", env: { PATH: "/usr/bin", ...env } }));
  }
}

function asHostile(): string[] {
  return [`--reuid=${HOSTILE}`, `--regid=${HOSTILE}`, "--clear-groups", "--inh-caps=-all", "--bounding-set=-all", "--"];
}
