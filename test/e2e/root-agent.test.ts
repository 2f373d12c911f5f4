// Agents that an earlier version left running as root: they serve on, lose no connection and no byte, and are followed
// by one with a user of its own.
import { execFileSync, spawn } from "node:child_process";
import { lchownSync, openSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTimeOf } from "../../src/lib/proc.ts";
import { findV2ray } from "../agent/engines/rig.ts";
import { engineProcesses, isRoot, rightsOf } from "./agent-process.ts";
import type { UserAnswer } from "./api.ts";
import type { ProxyClient } from "./client.ts";
import type { Download } from "./download.ts";
import { startPanel, type E2ePanel, type LocalNode } from "./panel.ts";
import { SIGNALBOX } from "./processes.ts";

const MB = 1_000_000;
const v2ray = await findV2ray();

describe.skipIf(!isRoot || !v2ray).each(["embedded", "v2ray"] as const)(
  "an agent with %s that runs as root",
  (engine) => {
    let panel: E2ePanel;
    let node: LocalNode;
    let home: string;
    beforeAll(async () => {
      panel = await startPanel({ engine });
      node = await panel.makeLocalNode();
      home = join(panel.directory, "agents", String(node.id));
    });
    afterAll(() => panel?.dispose());

    /** As a panel of the version before started it: root's, its files in its own directory, its paths absolute. */
    async function startAsRoot(): Promise<number> {
      execFileSync("chown", ["-R", "root:root", home]);
      const options = [
        "--listen",
        `127.0.0.1:${node.port}`,
        "--data",
        home,
        "--trust",
        join(panel.directory, "agents", "panel.pem"),
      ];
      const log = openSync(join(home, "agent.log"), "a", 0o600);
      const words = [...SIGNALBOX, "agent", ...options, "--engine", engine, "--private-targets", "allow"];
      const { pid = 0 } = spawn(process.execPath, words, { detached: true, stdio: ["ignore", log, log] });
      renameSync(`${home}.pid`, join(home, "agent.pid"));
      writeFileSync(
        join(home, "agent.pid"),
        JSON.stringify({ pid, startedAt: startTimeOf(pid), listen: `127.0.0.1:${node.port}` }),
      );
      await expect.poll(() => readFileSync(join(home, "agent.log"), "utf8")).toContain('"listening"');
      return pid;
    }

    /** A download that goes on until it is stopped, once the agent serves. */
    async function endless(client: ProxyClient): Promise<Download> {
      await expect
        .poll(() =>
          panel.download(client, 1000).finished.then(
            () => true,
            () => false,
          ),
        )
        .toBe(true);
      const download = panel.download(client, 2000 * MB, MB);
      expect(await download.reached(MB)).toBe(true);
      return download;
    }

    /** Ends it; it was not cut before, and each of its bytes was counted once. */
    async function endWhole(download: Download, user: UserAnswer): Promise<void> {
      expect(await download.reached(download.received + 3 * MB)).toBe(true);
      expect(download.over).toBe(false);
      download.stop();
      await expect.poll(() => rightsOf(panel.agentPid(node.id)).uid, { interval: 100 }).toBeGreaterThan(0);
      await panel.serves(node.id);
      await panel.download(await panel.clientOf(user), 1000).finished;
      await expect.poll(() => panel.api.used(user.id)).toBeGreaterThanOrEqual(download.received);
      // What was on its way when it ended was counted too.
      expect(await panel.api.used(user.id)).toBeLessThan(1.5 * download.received + 8 * MB);
    }

    test("goes on until its last connection ends; the next one has a user of its own and the same ledger", async () => {
      await panel.serves(node.id);
      const user = await panel.makeUser("ann");
      const client = await panel.clientOf(user);
      await panel.stop();
      const old = await startAsRoot();
      const download = await endless(client);
      await panel.start();
      await panel.serves(node.id);
      await expect.poll(() => panel.output).toContain("runs as root, with the rights of the panel");
      expect(rightsOf(old).uid).toBe(0);
      await endWhole(download, user);
      const { uid } = statSync(home);
      for (const pid of [panel.agentPid(node.id), ...engineProcesses(panel)]) expect(rightsOf(pid).uid).toBe(uid);
      expect(panel.output).toContain("a local agent that ran as root is replaced");
    });

    // The embedded engine ends with its agent.
    if (engine !== "embedded")
      test("an engine of root that lost its agent is taken over by root first: nobody is cut", async () => {
        const user = await panel.makeUser("eve");
        const client = await panel.clientOf(user);
        await panel.stop();
        const old = await startAsRoot();
        const download = await endless(client);
        process.kill(old, "SIGKILL");
        await panel.start();
        await panel.serves(node.id);
        expect(rightsOf(panel.agentPid(node.id)).uid).toBe(0);
        await endWhole(download, user);
      });

    test("a panel that was killed while it gave the directory away goes on with that", async () => {
      await panel.serves(node.id);
      await panel.stop();
      const { uid } = statSync(home);
      // The directory itself goes last.
      lchownSync(home, 0, 0);
      lchownSync(join(home, "agent.key"), 0, 0);
      await panel.start();
      await expect.poll(() => [statSync(home).uid, statSync(join(home, "agent.key")).uid]).toEqual([uid, uid]);
      await panel.serves(node.id);
    });
  },
);
