// The panel's files are its owner's alone: made so by a process whose own mask would leave them open, and mended where
// an older version or a copy left them open.
import { chmodSync, lstatSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startPanel, type E2ePanel } from "./panel.ts";

let panel: E2ePanel;
let outside: string;
beforeAll(async () => {
  outside = join(mkdtempSync(join(tmpdir(), "signalbox-outside-")), "file");
  writeFileSync(outside, "somebody else's", { mode: 0o644 });
  panel = await startPanel({ engine: "none" });
});
afterAll(async () => {
  await panel.dispose();
  rmSync(join(outside, ".."), { recursive: true });
});

/** Mode bits of everything in the data directory, and of itself. */
function modes(): Record<string, string> {
  const names = [".", ...readdirSync(panel.directory, { recursive: true, encoding: "utf8" })];
  const kept = names
    .map((name) => [name, lstatSync(join(panel.directory, name))] as const)
    .filter(([, stat]) => !stat.isSymbolicLink());
  return Object.fromEntries(kept.map(([name, stat]) => [name, (stat.mode & 0o777).toString(8)]));
}
const open = () => Object.entries(modes()).filter(([, mode]) => !mode.endsWith("00"));

// rule certificates.secret.4
test("what a running panel makes is nobody else's", () => {
  expect(Object.keys(modes())).toEqual(
    expect.arrayContaining([".", "panel.lock", "control.sock", "secret.key", "agents"]),
  );
  expect(open()).toEqual([]);
});

// rule certificates.secret.5
test("what was left open is closed at the start, and the log says what it was; links are not followed", async () => {
  await panel.stop();
  const files = readdirSync(panel.directory);
  for (const name of files)
    chmodSync(join(panel.directory, name), statSync(join(panel.directory, name)).isDirectory() ? 0o755 : 0o644);
  chmodSync(panel.directory, 0o755);
  symlinkSync(outside, join(panel.directory, "link"));
  await panel.start();
  expect(open()).toEqual([]);
  expect(statSync(outside).mode & 0o777).toBe(0o644);
  const said = panel.output.split("\n").find((line) => line.includes("were open to other users"));
  for (const name of [". 755", "secret.key 644", "agents 755"]) expect(said).toContain(name);
});

test("a database beside the data directory is closed too", async () => {
  if (!panel.databaseUrl.startsWith("sqlite:")) return;
  const file = panel.databaseUrl.slice("sqlite:".length);
  await panel.stop();
  chmodSync(file, 0o644);
  await panel.start();
  for (const each of [file, `${file}-wal`, `${file}-shm`])
    expect([each, statSync(each).mode & 0o777]).toEqual([each, 0o600]);
});

test("a start on a directory with nothing open says nothing of it", async () => {
  await panel.stop();
  await panel.start();
  expect(panel.output).not.toContain("open to other users");
});
