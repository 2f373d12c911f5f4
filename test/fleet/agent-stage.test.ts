// The copies that confined agents run, and the directories that are given to them: whole, for reading only, and never
// more than what was meant.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { giveHome, writeInto } from "../../src/fleet/local/agent-home.ts";
import { openStage, pruneStage, type StageOptions } from "../../src/fleet/local/agent-stage.ts";
import { isAgentUser, userFor } from "../../src/fleet/local/agent-user.ts";
import { isRoot } from "../e2e/agent-process.ts";

const DAY_SECONDS = 86_400;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "signalbox-stage-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe.skipIf(!isRoot)("the copy", () => {
  /** A small node and an engine. */
  function options(): StageOptions {
    mkdirSync(join(folder, "bin"));
    for (const name of ["node", "xray"])
      writeFileSync(join(folder, "bin", name), `#!/bin/sh\nsleep 1000`, { mode: 0o700 });
    const root = resolve(import.meta.dirname, "../..");
    return {
      directory: join(folder, "staged"),
      root,
      node: join(folder, "bin", "node"),
      searchPath: join(folder, "bin"),
      stagedEngine: () => Promise.resolve(undefined),
      now: Date.now,
    };
  }

  // rule nodes.staged.5
  test("has the staged engines that the PATH lacks, and another copy when another one is the newest", async () => {
    const given = options();
    mkdirSync(join(folder, "data"), { mode: 0o700 });
    const stage = (content: string): StageOptions => {
      const file = join(folder, "data", `digest-of-${content}`);
      writeFileSync(file, content, { mode: 0o600 });
      return { ...given, stagedEngine: async (name) => (name === "v2ctl" ? undefined : file) };
    };
    const first = await openStage(stage("first"));
    expect(readdirSync(first.programs).toSorted()).toEqual(["node", "sing-box", "v2ray", "xray"]);
    expect(readFileSync(join(first.programs, "sing-box"), "utf8")).toBe("first");
    expect(statSync(join(first.programs, "sing-box")).mode & 0o777).toBe(0o555);
    expect(readFileSync(join(first.programs, "xray"), "utf8")).toContain("#!/bin/sh");
    const second = await openStage(stage("second"));
    expect(second.programs).not.toBe(first.programs);
    expect(readFileSync(join(second.programs, "sing-box"), "utf8")).toBe("second");
  });

  test("is open for reading, closed for writing, made once, and anew when an original changes", async () => {
    const given = options();
    const [first, second] = await Promise.all([openStage(given), openStage(given)]);
    expect(second).toEqual(first);
    expect(readdirSync(first.programs).toSorted()).toEqual(["node", "xray"]);
    const code = resolve(first.main, "../..");
    expect(existsSync(join(code, "node_modules/zod/package.json"))).toBe(true);
    expect(existsSync(join(code, "src/panel/parts.ts"))).toBe(false);
    // Nothing that the agent imports is missing.
    expect(spawnSync(process.execPath, [first.main, "agent", "--help"], { encoding: "utf8" })).toMatchObject({
      status: 0,
      stderr: "",
    });
    const files = readdirSync(given.directory, { recursive: true, encoding: "utf8" }).map((name) =>
      lstatSync(join(given.directory, name)),
    );
    for (const stat of files) expect([stat.uid, stat.mode & 0o022, stat.mode & 0o004]).toEqual([0, 0, 0o004]);
    writeFileSync(join(folder, "bin", "xray"), "another", { mode: 0o700 });
    const third = await openStage(given);
    expect(third.main).toBe(first.main);
    expect(readFileSync(join(third.programs, "xray"), "utf8")).toBe("another");
    expect(readdirSync(given.directory)).toHaveLength(3);
  });

  test("goes a day after nobody runs it, and stays while somebody does", async () => {
    const given = options();
    const used = await openStage(given);
    const child = spawn(used.node, { stdio: "ignore" });
    await once(child, "spawn");
    writeFileSync(join(folder, "bin", "xray"), "another", { mode: 0o700 });
    const unused = await openStage(given);
    mkdirSync(join(given.directory, "new-left-by-a-kill"));
    const names = readdirSync(given.directory).map((name) => join(given.directory, name));
    for (const path of names) utimesSync(path, 1, 1);
    const { programs } = await openStage(given);
    expect(programs).toBe(unused.programs);
    await pruneStage(given.directory, Date.now());
    const left = readdirSync(given.directory).map((name) => join(given.directory, name));
    expect(left.toSorted()).toEqual([used.programs, unused.programs, resolve(used.main, "../..")].toSorted());
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
    await pruneStage(given.directory, Date.now() + (DAY_SECONDS + 60) * 1000);
    expect(readdirSync(given.directory)).toEqual([]);
  });

  test("is not made where somebody else may write", async () => {
    const given = options();
    mkdirSync(given.directory);
    chownSync(given.directory, 60_600, 60_600);
    await expect(openStage(given)).rejects.toThrow("is not a directory of the panel's user");
  });
});

describe.skipIf(!isRoot)("a directory that is given away", () => {
  test("goes with all in it, and links are given themselves, not what they lead to", () => {
    const home = join(folder, "1");
    mkdirSync(join(home, "engine"), { recursive: true });
    writeFileSync(join(folder, "outside"), "");
    symlinkSync("../outside", join(home, "link"));
    giveHome(home, 60_600);
    expect([home, join(home, "engine"), join(home, "link")].map((path) => lstatSync(path).uid)).toEqual([
      60_600, 60_600, 60_600,
    ]);
    expect(statSync(join(folder, "outside")).uid).toBe(0);
  });

  test("is not given with a file that has another name elsewhere", () => {
    const home = join(folder, "1");
    mkdirSync(home);
    writeFileSync(join(folder, "outside"), "");
    linkSync(join(folder, "outside"), join(home, "inside"));
    expect(() => giveHome(home, 60_600)).toThrow("has a second name");
    expect([statSync(home).uid, statSync(join(folder, "outside")).uid]).toEqual([0, 0]);
  });

  test("takes the panel's files over whatever lies there", () => {
    const home = join(folder, "1");
    mkdirSync(home);
    writeFileSync(join(folder, "outside"), "before");
    symlinkSync("../outside", join(home, "panel.pem"));
    writeInto(home, "panel.pem", "certificate", 60_600);
    expect(readFileSync(join(folder, "outside"), "utf8")).toBe("before");
    expect([readFileSync(join(home, "panel.pem"), "utf8"), readdirSync(home)]).toEqual(["certificate", ["panel.pem"]]);
    rmSync(join(home, "panel.pem"));
    mkdirSync(join(home, "panel.pem"));
    expect(() => writeInto(home, "panel.pem", "certificate", 60_600)).toThrow();
    expect(readdirSync(home)).toEqual(["panel.pem"]);
  });

  test("each agent has a user of its own, and keeps it", () => {
    const users = Array.from({ length: 50 }, (_, index) => {
      const home = join(folder, String(index));
      mkdirSync(home);
      const uid = userFor(home, folder);
      giveHome(home, uid);
      expect(isAgentUser(uid)).toBe(true);
      return uid;
    });
    expect(new Set(users).size).toBe(50);
    expect(userFor(join(folder, "7"), folder)).toBe(users[7]);
  });
});
