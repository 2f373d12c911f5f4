// The launcher that brings Node 24: killed, it takes the panel with it, so that a new start finds the data directory
// free.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";

const command = [fileURLToPath(new URL("../../bin/signalbox.mjs", import.meta.url)), "serve"];
const launch = (SIGNALBOX_DATA_DIR: string): ChildProcess =>
  spawn(process.execPath, command, {
    env: { ...process.env, SIGNALBOX_DATA_DIR, SIGNALBOX_LISTEN: "127.0.0.1:0" },
    stdio: ["ignore", "pipe", "ignore"],
  });

/** Resolves to whether it listens; false when it ended instead. */
async function listens(child: ChildProcess): Promise<boolean> {
  if (!child.stdout) return false;
  for await (const line of createInterface({ input: child.stdout })) if (line.includes("listens on")) return true;
  return false;
}

// rule process.start.3
test("a launcher that is killed takes its panel with it", async () => {
  const directory = await mkdtemp(join(tmpdir(), "signalbox-launcher-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const first = launch(directory);
  expect(await listens(first)).toBe(true);
  first.kill("SIGKILL");
  await once(first, "exit");
  let second = launch(directory);
  await expect
    .poll(async () => {
      if (await listens(second)) return true;
      second = launch(directory);
      return false;
    })
    .toBe(true);
  second.kill("SIGTERM");
  const [code] = (await once(second, "exit")) as [number];
  expect(code).toBe(0);
});
