// The agent without root: it serves with every engine, and says what it cannot do for want of rights.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startOrigin } from "../e2e/origin.ts";
import { processesOf } from "../e2e/processes.ts";
import { AgentProgram, spawnAgent } from "./agent-program.ts";
import type { AgentStart } from "./agent-program.ts";
import { enginesHere } from "./engines-here.ts";
import { freePort } from "./free-port.ts";
import { HttpDownload, httpPlan, realUser } from "./http-user.ts";
import { dial, makePanelIdentity, UsageBook } from "./panel.ts";

const NOBODY = 65_534;
const AS_NOBODY = ["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups", "--no-new-privs"];

const able = process.getuid?.() === 0 && spawnSync("setpriv", ["--version"]).status === 0;
if (!able) {
  if (process.env["CI"] === "true") throw new Error("needs root and setpriv, to become nobody");
  console.warn("skipped: only root can become nobody");
}
const engines = able ? await enginesHere() : [];

let directory: string;
let panel: Awaited<ReturnType<typeof makePanelIdentity>>;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "signalbox-nobody-"));
  panel = await makePanelIdentity("panel");
  await writeFile(join(directory, "trust.pem"), panel.trust);
  await chmod(directory, 0o755);
  await mkdir(join(directory, "data"), { mode: 0o700 });
  await chown(join(directory, "data"), NOBODY, NOBODY);
});
afterEach(async () => {
  for (const { pid } of processesOf(directory)) process.kill(pid, "SIGKILL");
  await rm(directory, { recursive: true, force: true, maxRetries: 5 });
});

const asNobody = (engine: string, ...argv: string[]): AgentStart => ({
  directory,
  engine,
  argv: ["--private-targets", "allow", ...argv],
  before: AS_NOBODY,
  env: { HOME: directory },
});

describe.each(engines)("the engine %s", (engine) => {
  test("serves and counts; what needs rights is off and named", async () => {
    const agent = await AgentProgram.start(asNobody(engine));
    const book = new UsageBook();
    const link = await dial(agent.port, panel.client, book);
    await link.hello(1);
    const user = realUser(1);
    const port = await freePort();
    const { warnings } = await link.peer.call("state.apply", httpPlan(port, [user]));
    const origin = await startOrigin();
    expect(await new HttpDownload(port, user, origin.port, "/bytes/200000").finished).toBe(200_000);
    await expect.poll(() => book.down).toBeGreaterThanOrEqual(200_000);
    const closing = await link.peer.call("sessions.close", { userId: 1 });
    if (engine === "embedded") expect([closing.supported, warnings]).toEqual([true, []]);
    else {
      // sing-box closes its connections itself.
      expect(closing).toEqual({ supported: engine === "sing-box", closed: 0 });
      expect(warnings).toContainEqual(expect.stringContaining("CAP_NET_ADMIN"));
    }
    expect(await agent.stop()).toMatchObject({ code: 0 });
    expect(processesOf(directory)).toEqual([]);
    await origin.close();
  });
});

describe.skipIf(!able)("refusals", () => {
  const said = async (start: AgentStart): Promise<string> => {
    const program = spawnAgent(start);
    expect(await program.exited).toMatchObject({ code: 1 });
    return program.output;
  };

  test("a data directory of somebody else is named with what is wrong", async () => {
    await chown(join(directory, "data"), 0, 0);
    expect(await said(asNobody("embedded"))).toContain(
      `data cannot be used by user ${NOBODY}: no right to write there`,
    );
    await chmod(join(directory, "data"), 0o777);
    expect(await said(asNobody("embedded"))).toContain(
      `data belongs to user 0, and this is user ${NOBODY}: run as that user`,
    );
  });

  test("a port below 1024 names the right for it", async () => {
    // Where the kernel lets everybody have it, another port of that kind is no better.
    if (readFileSync("/proc/sys/net/ipv4/ip_unprivileged_port_start", "utf8").trim() === "0") return;
    expect(await said(asNobody("embedded", "--listen", "127.0.0.1:81"))).toContain(
      "127.0.0.1:81 may not be listened on by this user",
    );
  });

  test("--check says what is off, and that an agent would start", async () => {
    const program = spawnAgent(asNobody("embedded", "--check"));
    expect(await program.exited).toMatchObject({ code: 0 });
    expect(program.output).toMatch(/^ok {3}data directory/m);
    expect(program.output).toMatch(/^ok {3}engine that will run \(--engine embedded\): embedded$/m);
    expect(program.output).toMatch(/^off {2}right CAP_NET_ADMIN: missing/m);
    expect(program.output).toMatch(/^off {2}ss -K/m);
  });
});
