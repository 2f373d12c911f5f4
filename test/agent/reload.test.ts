// SIGHUP reads trust file and log level again and ends nothing; an agent whose launcher was killed ends as if it had
// been killed itself.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { processesOf, Program, ROOT } from "../e2e/processes.ts";
import { AgentProgram } from "./agent-program.ts";
import { processEnginesHere } from "./engines-here.ts";
import { freePort } from "./free-port.ts";
import { httpPlan, realUser } from "./http-user.ts";
import { dial, makePanelIdentity } from "./panel.ts";

let directory: string;
let panel: Awaited<ReturnType<typeof makePanelIdentity>>;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "signalbox-reload-"));
  panel = await makePanelIdentity("panel");
  await writeFile(join(directory, "trust.pem"), panel.trust);
});
afterEach(async () => {
  for (const { pid } of processesOf(directory)) process.kill(pid, "SIGKILL");
  await rm(directory, { recursive: true, force: true, maxRetries: 5 });
});

// rule agents.command.3
test("SIGHUP: new trust, new log level, the same connections; bad files are said and change nothing", async () => {
  const config = join(directory, "agent.json");
  await writeFile(config, JSON.stringify({ "log-level": "info" }));
  const agent = await AgentProgram.start({
    directory,
    engine: "embedded",
    argv: ["--config", config],
    env: { SIGNALBOX_LOG_LEVEL: "" },
  });
  const link = await dial(agent.port, panel.client);
  await link.hello(1);
  const reloaded = async (times: number): Promise<unknown> => {
    process.kill(agent.pid, "SIGHUP");
    await expect
      .poll(() => agent.log.filter(({ msg }) => msg === "reloaded" || msg.startsWith("the configuration file")).length)
      .toBe(times);
    return agent.log.findLast(({ msg }) => msg === "reloaded" || msg.startsWith("the configuration file"));
  };
  await writeFile(config, JSON.stringify({ "log-level": "debug" }));
  const next = await makePanelIdentity("next");
  await writeFile(join(directory, "trust.pem"), next.trust);
  expect(await reloaded(1)).toMatchObject({ level: 30, logLevel: "debug", trustFile: "read" });
  await (await dial(agent.port, next.client)).hello(1, { readOnly: true });
  await writeFile(config, JSON.stringify({ "log-level": "loud" }));
  await writeFile(join(directory, "trust.pem"), "nothing");
  expect(await reloaded(2)).toMatchObject({
    level: 50,
    err: { message: expect.stringContaining("agent.json: log-level: is none of") },
  });
  await (await dial(agent.port, next.client)).hello(1, { readOnly: true });
  // The first panel's connection lived through all of it.
  expect((await link.peer.call("state.report", {})).applied.revision).toBe(0);
  expect(await agent.stop()).toMatchObject({ code: 0 });
});

const [engine] = await processEnginesHere();

test.skipIf(engine === undefined)("a killed launcher ends its agent, which leaves the engine to the next", async () => {
  const options = [
    "--listen",
    "127.0.0.1:0",
    "--data",
    join(directory, "data"),
    "--trust",
    join(directory, "trust.pem"),
    "--engine",
    engine ?? "",
  ];
  const launcher = new Program({ command: process.execPath, args: [`${ROOT}bin/signalbox.mjs`, "agent", ...options] });
  const [line] = await launcher.says(/^\{"listening".*\}$/m);
  const link = await dial(Number(/:(\d+)"/.exec(line)?.[1]), panel.client);
  await link.hello(1);
  await link.peer.call("state.apply", httpPlan(await freePort(), [realUser(1)]));
  const engines = (): number[] =>
    processesOf(directory)
      .filter(({ command }) => !command.includes(directory))
      .map(({ pid }) => pid);
  const before = engines();
  expect(before).toHaveLength(1);
  process.kill(launcher.pid, "SIGKILL");
  await link.peer.closed;
  await expect.poll(() => processesOf(directory).map(({ pid }) => pid)).toEqual(before);
  const agent = await AgentProgram.start({ directory, engine: engine ?? "" });
  await expect.poll(async () => (await (await dial(agent.port, panel.client)).hello(1)).engine.state).toBe("running");
  expect(engines()).toEqual(before);
  expect(await agent.stop()).toMatchObject({ code: 0 });
  expect(processesOf(directory)).toEqual([]);
});
