// Local agents where the panel is root: a user of their own with two capabilities, an environment without secrets, and
// a directory in which nothing that they plant leads the panel anywhere.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, lstatSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTimeOf } from "../../src/lib/proc.ts";
import { findV2ray } from "../agent/engines/rig.ts";
import { asUser, engineProcesses, isRoot, rightsOf, BIND_ALONE } from "./agent-process.ts";
import { startPanel, type E2ePanel, type LocalNode } from "./panel.ts";

const SECRETS = {
  SIGNALBOX_SECRET_KEY: "5".repeat(64),
  DATABASE_URL: "postgresql://panel:hunter2@db/panel",
  OF_THE_PANEL: "hunter2",
};
const v2ray = await findV2ray();

describe.skipIf(!isRoot || !v2ray)("an agent of a panel that is root", () => {
  let panel: E2ePanel;
  let node: LocalNode;
  let outside: string;
  let home: string;
  beforeAll(async () => {
    outside = mkdtempSync(join(tmpdir(), "signalbox-outside-"));
    writeFileSync(join(outside, "precious"), "precious");
    panel = await startPanel({ engine: "v2ray", variables: SECRETS });
    node = await panel.makeLocalNode();
    home = join(panel.directory, "agents", String(node.id));
  });
  afterAll(async () => {
    await panel?.dispose();
    rmSync(outside, { recursive: true, force: true });
  });

  // rule agents.local.2
  test("it and its engine have a user of their own, one capability, and no way to more", async () => {
    await panel.serves(node.id);
    await expect.poll(() => engineProcesses(panel).length).toBe(1);
    const uid = statSync(home).uid;
    expect(uid).toBeGreaterThan(0);
    for (const pid of [panel.agentPid(node.id), ...engineProcesses(panel)])
      expect(rightsOf(pid)).toEqual({ uid, capabilities: BIND_ALONE, noNewPrivileges: true });
  });

  test("nothing of the panel's environment reaches them", () => {
    for (const pid of [panel.agentPid(node.id), ...engineProcesses(panel)]) {
      const environment = readFileSync(`/proc/${pid}/environ`, "utf8");
      expect(environment).toContain("PATH=");
      for (const secret of [...Object.keys(SECRETS), ...Object.values(SECRETS), "SIGNALBOX_SETUP_TOKEN"])
        expect(environment).not.toContain(secret);
    }
  });

  // rule agents.local.2
  test("its user reads its own directory and nothing else of the panel's", () => {
    const { uid } = statSync(home);
    expect(asUser(uid, home, "cat agent.key")).toContain("PRIVATE KEY");
    const closed = [join(panel.directory, "panel.lock"), "../panel.pem", `../${node.id}.log`, `../${node.id}.pid`];
    for (const path of [...closed, panel.databaseUrl.replace("sqlite:", "")])
      expect([path, asUser(uid, home, `cat '${path}'; ls '${path}'; echo x >> '${path}'`)]).toEqual([
        path,
        expect.stringMatching(/^(.*Permission denied\n){3}$/),
      ]);
    expect(asUser(uid, home, `ls ..; ls '${panel.directory}'`)).toMatch(/^(.*Permission denied\n){2}$/);
    expect(asUser(uid, home, `kill -0 ${panel.pid}`)).toMatch(/not permitted/);
    const [, programs = ""] =
      /PATH=([^:]+):/.exec(readFileSync(`/proc/${panel.agentPid(node.id)}/environ`, "utf8")) ?? [];
    expect(asUser(uid, home, `echo x >> ${programs}/node; rm -f ${programs}/node; touch ${programs}/xray`)).toMatch(
      /^(.*denied\n){3}$/,
    );
  });

  test("what it serves is counted", async () => {
    const user = await panel.makeUser("bob");
    await panel.download(await panel.clientOf(user), 1_000_000).finished;
    await expect.poll(() => panel.api.used(user.id)).toBeGreaterThanOrEqual(1_000_000);
  });

  test("links and pipes that it plants lead the panel nowhere, and a pid that it invents ends nobody", async () => {
    const { uid } = statSync(home);
    const bystander = spawn("sleep", ["1000"], { stdio: "ignore" });
    const pid = bystander.pid ?? 0;
    const planted = ["agent.log", "agent.pid", "agent.pid.new", "panel.pem.new"];
    asUser(uid, home, planted.map((name) => `rm -f ${name}; ln -s ${outside}/precious ${name}`).join("; "));
    asUser(uid, home, `rm -f panel.pem; mkfifo panel.pem; ln -s ${outside} engine/way-out`);
    asUser(
      uid,
      home,
      `rm agent.pid; echo '${JSON.stringify({ pid, startedAt: startTimeOf(pid), listen: "127.0.0.1:1" })}' > agent.pid`,
    );
    const before = panel.agentPid(node.id);
    await panel.kill();
    await panel.start();
    await panel.serves(node.id);
    expect(panel.agentPid(node.id)).toBe(before);
    // Replaced, not written through, and its user's again.
    expect(lstatSync(join(home, "panel.pem"))).toMatchObject({ uid, nlink: 1 });
    expect(lstatSync(join(home, "panel.pem")).isFile()).toBe(true);
    process.kill(before, "SIGKILL");
    await expect.poll(() => panel.agentPid(node.id)).not.toBe(before);
    await panel.serves(node.id);
    expect(bystander.exitCode ?? bystander.signalCode).toBe(null);
    await panel.api.ok("DELETE", `/nodes/${node.id}`);
    await expect.poll(() => existsSync(home), { interval: 50 }).toBe(false);
    expect(bystander.exitCode ?? bystander.signalCode).toBe(null);
    expect(readFileSync(join(outside, "precious"), "utf8")).toBe("precious");
    expect(panel.leftovers()).toEqual([]);
    bystander.kill();
  });
});

describe.skipIf(!isRoot)("where nobody can be confined", () => {
  let panel: E2ePanel;
  beforeAll(async () => {
    // No setpriv on it.
    panel = await startPanel({ variables: { PATH: "/nonexistent", OF_THE_PANEL: "hunter2" } });
  });
  afterAll(() => panel?.dispose());

  test("the agent runs as the panel's user, and the log says what is weaker; its environment is its own all the same", async () => {
    const node = await panel.makeLocalNode();
    await panel.serves(node.id);
    expect(rightsOf(panel.agentPid(node.id)).uid).toBe(0);
    expect(readFileSync(`/proc/${panel.agentPid(node.id)}/environ`, "utf8")).not.toContain("hunter2");
    expect(panel.output.match(/run as the panel's own user: whoever breaks into one reads/g)).toHaveLength(1);
    expect(panel.output).toContain("setpriv (package util-linux) is not installed");
  });

  test("a directory that a confined agent could write into is never used by root", async () => {
    const node = await panel.makeLocalNode("given");
    await panel.serves(node.id);
    const home = join(panel.directory, "agents", String(node.id));
    await panel.stop();
    execFileSync("chown", ["-R", "60600:60600", home]);
    await panel.start();
    await expect.poll(() => panel.output).toContain("no agent can run as that user now (setpriv");
    execFileSync("chown", ["-R", "root", home]);
    await panel.serves(node.id);
  });
});
