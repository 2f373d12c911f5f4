// What a process gives up of what whoever started it left it.
import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openPlace, searchPath } from "../../src/lib/search-path.ts";
import { hasPrograms } from "../programs.ts";

const MODULE = fileURLToPath(new URL("../../src/lib/inherited.ts", import.meta.url));
const OTHER = 64_322;
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "signalbox-inherited-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const hasShell = hasPrograms("descriptors that whoever starts the panel left open", "bash", "ls");

// rule agents.local.6
test.skipIf(!hasShell)(
  "no child gets a descriptor that was left open, nor looks programs up where npm put folders",
  () => {
    const leaked = join(folder, "leaked");
    writeFileSync(leaked, "");
    const script = `const { giveUpInherited } = await import(${JSON.stringify(MODULE)});
    giveUpInherited();
    const { execFileSync } = await import("node:child_process");
    process.stdout.write(execFileSync("ls", ["-l", "/proc/self/fd"]) + process.env.PATH);`;
    const open = [3, 9, 15, 16, 17, 40, 251].map((fd) => `${fd}<>'${leaked}'`).join(" ");
    const { stdout, stderr } = spawnSync(
      "bash",
      ["--norc", "-c", `exec ${open}; exec "$@"`, "bash", process.execPath, "--input-type=module", "-e", script],
      { encoding: "utf8", env: { PATH: `.:/checkout/node_modules/.bin:tools:/nowhere/at/all:${process.env["PATH"]}` } },
    );
    expect(stderr).toBe("");
    expect(stdout).not.toContain("leaked");
    expect(stdout).not.toMatch(/node_modules\/\.bin|(^|:)\.?(:|$)|:tools:/m);
  },
);

describe("folders in which root looks programs up", () => {
  test("those of the system are taken where nothing else is named", () => {
    expect(searchPath("", 0).path).toContain("/usr/bin");
    expect(searchPath(".:relative:/x/node_modules/.bin", 0).path).toContain("/usr/sbin");
    expect(searchPath("/usr/bin:/bin", 0)).toEqual({ path: "/usr/bin:/bin", refused: [] });
  });

  // A shared folder is none of root's, sticky or not: whatever lies in it may be another user's.
  test.skipIf(process.getuid?.() !== 0).each([
    ["open to all", (path: string) => chmodSync(path, 0o777)],
    ["open to all and sticky", (path: string) => chmodSync(path, 0o1777)],
    ["another user's", (path: string) => chownSync(path, OTHER, OTHER)],
  ])("one that is %s is not used, nor what is below it or linked into it", (name, open) => {
    const root = mkdtempSync("/root/.signalbox-path-");
    try {
      const place = join(root, name.replaceAll(" ", "-"));
      const below = join(place, "deep", "bin");
      mkdirSync(below, { recursive: true });
      symlinkSync(below, join(root, "link"));
      expect(searchPath(`${below}:${join(root, "link")}`, 0).refused).toEqual([]);
      open(place);
      const { path, refused } = searchPath(`/usr/bin:${place}:${below}:${join(root, "link")}`, 0);
      expect(path).toBe("/usr/bin");
      expect(refused).toHaveLength(3);
      expect(openPlace(below, 0)).toBe(place);
      // A user who is not root decides alone.
      expect(searchPath(below, OTHER).path).toBe(below);
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  });
});
