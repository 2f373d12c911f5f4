// The unit file for systemd: systemd understands all of it, calls it safe, and it keeps what adoption of engines needs.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/**
 * Highest exposure, out of 10; smaller is safer. The network, the two capabilities and writable executable memory
 * remain.
 */
const MOST_EXPOSURE = 2;
const unit = readFileSync(`${ROOT}docs/signalbox-agent.service`, "utf8");
const directory = mkdtempSync(join(tmpdir(), "signalbox-unit-"));
afterAll(() => rmSync(directory, { recursive: true }));

const installed = spawnSync("systemd-analyze", ["--version"]).status === 0;
if (!installed) {
  if (process.env["CI"] === "true") throw new Error("systemd-analyze is not installed (Debian package systemd)");
  console.warn("skipped: systemd-analyze is not installed, so nobody looks at the unit file here");
}

/** The unit with the program where this checkout has it; systemd looks for the file. */
function here(): string {
  const path = join(directory, "signalbox-agent.service");
  writeFileSync(path, unit.replace("/opt/signalbox/", ROOT));
  return path;
}

test.skipIf(!installed)("systemd has nothing against it", () => {
  const { status, stdout, stderr } = spawnSync("systemd-analyze", ["verify", "--man=no", here()], { encoding: "utf8" });
  expect({ status, said: stdout + stderr }).toEqual({ status: 0, said: "" });
});

test.skipIf(!installed)(`its exposure is at most ${MOST_EXPOSURE} of 10`, () => {
  const { status, stdout } = spawnSync("systemd-analyze", ["security", "--offline=true", "--no-pager", here()], {
    encoding: "utf8",
  });
  const score = Number(/Overall exposure level for \S+: ([\d.]+)/.exec(stdout)?.[1]);
  console.info(`exposure of the unit: ${score}`);
  expect(status).toBe(0);
  expect(score).toBeLessThanOrEqual(MOST_EXPOSURE);
});

test("engines outlive the agent, and it is told apart what a restart can mend", () => {
  expect(unit).toMatch(/^KillMode=process$/m);
  expect(unit).toMatch(/^RestartPreventExitStatus=2$/m);
  expect(unit).toMatch(/^ExecReload=\/bin\/kill -HUP \$MAINPID$/m);
  expect(unit).not.toMatch(/^(MemoryDenyWriteExecute|PrivateUsers|ProcSubset)=/m);
});
