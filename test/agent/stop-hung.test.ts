// SIGTERM beside an engine that hangs: within five seconds, and the engine is gone.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { processesOf } from "../e2e/processes.ts";
import { AgentStage } from "./agent-stage.ts";
import { processEnginesHere } from "./engines-here.ts";
import { realUser } from "./http-user.ts";

const STOP_MS = 5000;

let stage: AgentStage;
beforeEach(async () => {
  stage = await AgentStage.open();
});
afterEach(() => stage.end());

describe.each(await processEnginesHere())("the process engine %s", (engine) => {
  test("that hangs is ended all the same", async () => {
    const agent = await stage.start(engine);
    await stage.serve(agent);
    for (const pid of stage.engines(agent)) process.kill(pid, "SIGSTOP");
    const stopped = await agent.stop();
    expect(stopped.code).toBe(0);
    expect(stopped.ms).toBeLessThan(STOP_MS);
    expect(processesOf(stage.directory)).toEqual([]);
  });

  test("that hangs in the middle of a change is ended all the same", async () => {
    const agent = await stage.start(engine);
    const { link } = await stage.serve(agent);
    for (const pid of stage.engines(agent)) process.kill(pid, "SIGSTOP");
    const change = link.peer.call("state.apply", { revision: 2, users: { put: [realUser(2)] } }).catch(() => undefined);
    const stopped = await agent.stop();
    await change;
    expect(stopped.ms).toBeLessThan(STOP_MS);
    expect(processesOf(stage.directory)).toEqual([]);
  });
});
