// An engine that is a process of its own: it survives the agent's SIGKILL, is adopted by the next agent, and ends with
// a clean stop.
import { spawn, spawnSync } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { planUser } from "./fixture.ts";
import { dial, makePanelIdentity } from "./panel.ts";

const installed = spawnSync("v2ray", ["-version"]).status === 0;
if (!installed) {
  if (process.env["CI"] === "true") throw new Error("v2ray is not installed");
  console.warn("skipped: v2ray is not installed, so no engine can outlive its agent here");
}

test.skipIf(!installed)("killed, the agent leaves its engine to the next one; stopped, it ends it", async () => {
  const directory = await mkdtemp(join(tmpdir(), "signalbox-outlive-"));
  const panel = await makePanelIdentity("panel");
  await writeFile(join(directory, "trust.pem"), panel.trust);
  const spare = createServer().listen(0, "127.0.0.1");
  await once(spare, "listening");
  const { port } = spare.address() as AddressInfo;
  spare.close();
  const argv = [
    "agent",
    "--listen",
    "127.0.0.1:0",
    "--data",
    join(directory, "data"),
    "--trust",
    join(directory, "trust.pem"),
    "--engine",
    "v2ray",
  ];
  const start = async (): Promise<{ child: ChildProcess; port: number }> => {
    const child = spawn(process.execPath, [fileURLToPath(new URL("run-command.ts", import.meta.url)), ...argv], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    onTestFinished(() => void child.kill("SIGTERM"));
    if (child.stdout === null) throw new Error("no output");
    const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
    const { listening } = JSON.parse(line) as { listening: string };
    return { child, port: Number(listening.split(":").at(-1)) };
  };
  const first = await start();
  const link = await dial(first.port, panel.client);
  await link.hello(1);
  await link.peer.call("state.apply", {
    revision: 1,
    objects: {
      put: {
        "inbound:1": {
          kind: "inbound",
          id: 1,
          tag: "in",
          type: "vless",
          config: { listen: "127.0.0.1", listen_port: port },
        },
      },
      drop: [],
    },
    users: { put: [{ ...planUser(1), uuid: "8b1c7f0e-2a44-4c7b-9a30-1d1c54e0a001" }] },
  });
  const [engine] = enginesOf(first.child.pid ?? 0);
  if (engine === undefined) throw new Error("the agent has no engine");
  first.child.kill("SIGKILL");
  await once(first.child, "exit");
  expect(existsSync(`/proc/${engine}`)).toBe(true);
  const second = await start();
  const again = await dial(second.port, panel.client);
  const running = again.heartbeat((heartbeat) => heartbeat.engine.state === "running");
  await again.hello(1);
  expect((await again.peer.call("state.report", {})).applied.revision).toBe(1);
  await running;
  expect(existsSync(`/proc/${engine}`)).toBe(true);
  // Its own children are short: it asks the engine's binary for version and checks, and runs none of its own.
  await expect.poll(() => enginesOf(second.child.pid ?? 0)).toEqual([]);
  second.child.kill("SIGTERM");
  const [code] = (await once(second.child, "exit")) as [number];
  expect(code).toBe(0);
  await expect.poll(() => alive(engine)).toBe(false);
  await rm(directory, { recursive: true, force: true });
});

/** The agent's v2ray processes; it has others, short-lived ones. */
function enginesOf(agent: number): number[] {
  const children = readFileSync(`/proc/${agent}/task/${agent}/children`, "utf8").split(" ").filter(Boolean).map(Number);
  return children.filter(
    (pid) => existsSync(`/proc/${pid}/comm`) && readFileSync(`/proc/${pid}/comm`, "utf8").trim() === "v2ray",
  );
}

/** A zombie that its new parent has not collected yet is dead. */
function alive(pid: number): boolean {
  return existsSync(`/proc/${pid}/stat`) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
}
