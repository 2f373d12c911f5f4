// Starts the process of a local agent: under a user of its own from the staged programs, with an environment of its
// own; where nobody can be confined, as the panel's user.
import { execFile, spawn, type ChildProcess } from "node:child_process";
import { closeSync, realpathSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { enginesOf } from "./agent-connections.ts";
import { clearBeside, giveHome, openLog, OWN_TRUST, ownerOf, writeInto } from "./agent-home.ts";
import type { Stage } from "./agent-stage.ts";
import { isAgentUser, userFor, wordsFor } from "./agent-user.ts";
import type { Confinement } from "./confinement.ts";
import { KEEPER_SOCKET, NetKeepers } from "./net-keeper.ts";
import { userOf } from "../../lib/proc.ts";
import { searchPath } from "../../lib/search-path.ts";

/** What an agent gets to see of the panel's environment: nothing that could be a secret. */
const KEPT = ["LANG", "LC_ALL", "TZ", "SSL_CERT_FILE", "SSL_CERT_DIR", "container", "SIGNALBOX_LOG_LEVEL"];
/**
 * Removes what is in its working directory, as the user whose it is: under root a link planted meanwhile would lead
 * elsewhere.
 */
const EMPTY = `const { readdirSync, rmSync } = require("node:fs"); for (const name of readdirSync(".")) rmSync(name, { recursive: true, force: true });`;

export interface LaunchOptions {
  /** `<data>/agents`, real. */
  readonly directory: string;
  /** PEM that the agents trust. */
  readonly trust: string;
  readonly engine: string;
  readonly privateTargets: string;
  /** The command that runs an agent where it is not confined: node and the entry point. */
  readonly command: readonly [string, ...string[]];
  /** Absent: agents run as the panel's user. */
  readonly confinement?: Confinement | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Ports of the inbounds that a node has now. */
  readonly publicPorts: (nodeId: number) => Promise<readonly number[]>;
  readonly log: (level: "info" | "warn" | "error", message: string, fields: Record<string, unknown>) => void;
}

export interface Launched {
  readonly child: ChildProcess;
  readonly listen: string;
  /**
   * It was not confined, though it could be: engines of an agent of the panel's user still serve, and only such a one
   * can take them over.
   */
  readonly unconfined: boolean;
}

export class AgentLauncher {
  readonly #options: LaunchOptions;
  readonly #keepers: NetKeepers;

  constructor(options: LaunchOptions) {
    this.#options = options;
    this.#keepers = new NetKeepers(options);
  }

  /** Whether agents can be confined here. Rejects for what passes. */
  async confines(): Promise<boolean> {
    return (await this.#options.confinement?.open()) !== undefined;
  }

  /**
   * `home` is there. `listen`: asked right before the start; undefined when no agent is wanted any more. Rejects when
   * it cannot be started.
   */
  async launch(home: string, listen: () => string | undefined): Promise<Launched | undefined> {
    const stage = this.#options.confinement && (await this.#options.confinement.open());
    const address = listen();
    if (address === undefined) return undefined;
    const given = isAgentUser(ownerOf(home) ?? 0);
    if (!stage && given) {
      const reason = this.#options.confinement?.objection ?? "agents are not confined";
      throw new Error(
        `${home} was given to a user of its own, and no agent can run as that user now (${reason}): mend that, or take it back (chown -R root)`,
      );
    }
    const unconfined = stage !== undefined && !given && enginesOf(home).some((pid) => !isAgentUser(userOf(pid) ?? 0));
    const child = stage && !unconfined ? await this.#confined(home, listen, stage) : this.#plain(home, address);
    if (!child) return undefined;
    return { child, listen: address, unconfined };
  }

  /** Starts the net keeper of a confined agent that runs already, where this panel's does not run. */
  async keepNet(home: string): Promise<void> {
    const owner = ownerOf(home);
    if (owner === undefined || !isAgentUser(owner) || this.#keepers.runs(home)) return;
    const stage = await this.#options.confinement?.open();
    if (stage) await this.#keepers.start(home, owner, stage, this.#environmentOf("/", stage));
  }

  /** The agent has ended: nobody asks its net keeper for anything any more. */
  endNet(home: string): void {
    this.#keepers.end(home);
  }

  /** Brings a new trust file to an agent that runs already. */
  writeTrust(home: string): void {
    const owner = ownerOf(home) ?? 0;
    if (isAgentUser(owner)) writeInto(home, OWN_TRUST, this.#options.trust, owner);
  }

  /** Writes the trust file of agents that are not confined. */
  writePanelTrust(): void {
    writeFileSync(this.#trustFile, this.#options.trust, { mode: 0o600 });
  }

  /** Removes what a deleted agent kept. */
  async clear(home: string): Promise<void> {
    const owner = ownerOf(home);
    if (owner !== undefined && isAgentUser(owner)) {
      const stage = await this.#options.confinement?.open();
      if (!stage) throw new Error(`nobody can be user ${owner} now, whose it is`);
      const [program, ...words] = wordsFor(owner);
      await promisify(execFile)(program, [...words, stage.node, "-e", EMPTY], {
        cwd: home,
        env: this.#environmentOf(home, stage),
      });
      rmdirSync(home);
    } else {
      rmSync(home, { recursive: true, force: true });
    }
    clearBeside(home);
  }

  get #trustFile(): string {
    return join(this.#options.directory, "panel.pem");
  }

  /** Started inside its directory, for those above are closed to its user. */
  async #confined(home: string, listen: () => string | undefined, stage: Stage): Promise<ChildProcess | undefined> {
    const { directory, log, trust } = this.#options;
    const uid = userFor(home, directory);
    if (ownerOf(home) !== uid) {
      giveHome(home, uid);
      log("info", "a local agent has a user of its own now", { home, uid });
    }
    writeInto(home, OWN_TRUST, trust, uid);
    const kept = await this.#keepers.start(home, uid, stage, this.#environmentOf("/", stage));
    const address = listen();
    if (address === undefined) return undefined;
    return this.#spawn(
      home,
      [...limited(wordsFor(uid)), stage.node, stage.main],
      address,
      OWN_TRUST,
      this.#environmentOf(home, stage),
      kept ? { "net-keeper": KEEPER_SOCKET } : {},
    );
  }

  #plain(home: string, listen: string): ChildProcess {
    return this.#spawn(home, [...this.#options.command], listen, this.#trustFile, this.#environmentOf(home, undefined));
  }

  #environmentOf(home: string, stage: Stage | undefined): Record<string, string> {
    const { environment } = this.#options;
    // The temporary directory of the panel's user may be closed to others.
    const names = stage ? KEPT : [...KEPT, "TMPDIR"];
    const kept = names.flatMap((name) => (environment[name] === undefined ? [] : [[name, environment[name]]]));
    const path = [...(stage ? [stage.programs] : []), searchPath(environment["PATH"] ?? "").path].join(delimiter);
    return { ...Object.fromEntries(kept), PATH: path, HOME: home };
  }

  #spawn(
    home: string,
    words: readonly string[],
    listen: string,
    trust: string,
    env: Record<string, string>,
    more: Readonly<Record<string, string>> = {},
  ): ChildProcess {
    const { engine, privateTargets } = this.#options;
    const options = { listen, data: realpathSync(home), trust, engine, "private-targets": privateTargets, ...more };
    const [program = "", ...leading] = [
      ...words,
      "agent",
      ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]),
    ];
    const output = openLog(home);
    try {
      const child = spawn(program, leading, { cwd: home, detached: true, env, stdio: ["ignore", output, output] });
      child.unref();
      return child;
    } finally {
      closeSync(output);
    }
  }
}

/** No file of an agent or an engine may grow beyond this: neither its log nor anything in its directory. */
const LARGEST_FILE_BYTES = 1024 ** 3;

/** The shell counts in blocks of 512 bytes; a limit that is lower already stays. */
function limited(words: readonly string[]): string[] {
  return ["/bin/sh", "-c", 'ulimit -f "$0" 2>/dev/null; exec "$@"', String(LARGEST_FILE_BYTES / 512), ...words];
}
