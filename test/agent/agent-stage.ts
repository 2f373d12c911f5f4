// A directory with a trust file, agents as processes on it, and a panel that dials them: what tests of the agent's life
// stand on.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import type { PlanUser } from "../../src/protocol/plan.ts";
import { processesOf } from "../e2e/processes.ts";
import { AgentProgram } from "./agent-program.ts";
import { freePort } from "./free-port.ts";
import { httpPlan, realUser } from "./http-user.ts";
import { dial, makePanelIdentity, UsageBook } from "./panel.ts";
import type { ClientIdentity, PanelLink } from "./panel.ts";

export class AgentStage {
  readonly directory: string;
  readonly client: ClientIdentity;

  /** Call `end` in `afterEach`. */
  static async open(): Promise<AgentStage> {
    const directory = await mkdtemp(join(tmpdir(), "signalbox-stage-"));
    const panel = await makePanelIdentity("panel");
    await writeFile(join(directory, "trust.pem"), panel.trust);
    return new AgentStage(directory, panel.client);
  }

  private constructor(directory: string, client: ClientIdentity) {
    this.directory = directory;
    this.client = client;
  }

  start(engine: string, ...argv: string[]): Promise<AgentProgram> {
    return AgentProgram.start({ directory: this.directory, engine, argv: ["--private-targets", "allow", ...argv] });
  }

  /** Processes of engines that still run, `agent` and its launcher left out. */
  engines(agent?: AgentProgram): number[] {
    return processesOf(join(this.directory, "data"))
      .map(({ pid }) => pid)
      .filter((pid) => pid !== agent?.pid);
  }

  /** Links with the agent and has it serve one HTTP inbound with one user. */
  async serve(agent: AgentProgram, book = new UsageBook()): Promise<{ link: PanelLink; port: number; user: PlanUser }> {
    const link = await dial(agent.port, this.client, book);
    await link.hello(1);
    const port = await freePort();
    const user = realUser(1);
    expect((await link.peer.call("state.apply", httpPlan(port, [user]))).engine.state).toBe("running");
    return { link, port, user };
  }

  /** Ends what still runs and removes the directory. */
  async end(): Promise<void> {
    for (const { pid } of processesOf(this.directory)) process.kill(pid, "SIGKILL");
    await expect.poll(() => processesOf(this.directory)).toEqual([]);
    await rm(this.directory, { recursive: true, force: true, maxRetries: 5 });
  }
}
