// An engine that dies while the disk refuses: the agent lives on, says so, and has it serve again.
import { join } from "node:path";
import { describe, expect, onTestFailed, test } from "vitest";
import type { EngineKind } from "../../src/protocol/messages.ts";
import { startOrigin } from "../e2e/origin.ts";
import { processesOf } from "../e2e/processes.ts";
import { AgentProgram } from "./agent-program.ts";
import { processEnginesHere } from "./engines-here.ts";
import { freePort } from "./free-port.ts";
import { HttpDownload, httpPlan, realUser } from "./http-user.ts";
import { dial, makePanelIdentity } from "./panel.ts";
import { diskOfTest, disksHere, trustFileOfTest } from "./refusing-disk.ts";
import type { DiskKind } from "./refusing-disk.ts";

const disks = disksHere();
const trials = (await processEnginesHere()).flatMap((engine) =>
  disks.map((kind): [EngineKind, DiskKind] => [engine, kind]),
);

describe.each(trials)("the process engine %s on a %s disk", (engine, kind) => {
  test("killed there, it serves again", async () => {
    const own = diskOfTest(kind);
    const panel = await makePanelIdentity("panel");
    const trust = trustFileOfTest(panel.trust);
    const argv = ["--private-targets", "allow", "--trust", trust];
    const agent = await AgentProgram.start({ directory: own.directory, engine, argv });
    onTestFailed(() => console.error(agent.program.output.slice(-4000)));
    const origin = await startOrigin();
    const user = realUser(1);
    const port = await freePort();
    const link = await dial(agent.port, panel.client);
    await link.hello(1);
    await link.peer.call("state.apply", httpPlan(port, [user]));
    const get = (): Promise<number> => new HttpDownload(port, user, origin.port, "/bytes/1000").finished;
    expect(await get()).toBe(1000);

    own.refuse();
    for (const { pid } of processesOf(join(own.directory, "data", "engine"))) process.kill(pid, "SIGKILL");
    await expect.poll(get).toBe(1000);
    const engineNow = async () => (await link.peer.call("state.report", {})).engine;
    await expect.poll(engineNow).toMatchObject({ state: "running", restarts: 1 });

    own.accept();
    expect(await agent.stop()).toMatchObject({ code: 0 });
    expect(processesOf(own.directory)).toEqual([]);
    await origin.close();
  });
});
