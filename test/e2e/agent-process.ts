// What the kernel says of an agent or an engine, and what its user may do.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import type { E2ePanel } from "./panel.ts";

/** Only root can give an agent a user of its own. Elsewhere the tests of it are left out, aloud; CI runs as root. */
export const isRoot = process.getuid?.() === 0 && spawnSync("setpriv", ["--version"]).status === 0;
if (!isRoot) {
  if (process.env["CI"] === "true") throw new Error("needs root and setpriv, to confine agents");
  console.warn("skipped: confined agents, for want of root or setpriv");
}

export interface Rights {
  readonly uid: number;
  /** Every way in which the kernel keeps capabilities of a process, effective to bounding. */
  readonly capabilities: readonly string[];
  readonly noNewPrivileges: boolean;
}

export function rightsOf(pid: number): Rights {
  const status = readFileSync(`/proc/${pid}/status`, "latin1");
  const field = (name: string) => new RegExp(`^${name}:\\s*(\\S+)`, "m").exec(status)?.[1] ?? "";
  return {
    uid: Number(field("Uid")),
    capabilities: ["CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"].map((name) => field(name).replace(/^0+(?=.)/, "")),
    noNewPrivileges: field("NoNewPrivs") === "1",
  };
}

/** CAP_NET_BIND_SERVICE, in every way in which a process has it. */
export const BIND_ALONE = Array.from({ length: 5 }, () => "400");
/** CAP_NET_ADMIN. */
export const NET_ADMIN_ALONE = Array.from({ length: 5 }, () => "1000");

/** Engines of the panel's agents. */
export function engineProcesses(panel: E2ePanel): number[] {
  return panel
    .leftovers()
    .filter(({ command }) => !/\/main\.(ts|mjs)/.test(command))
    .map(({ pid }) => pid);
}

/** Net keepers of the panel's agents. */
export function keeperProcesses(panel: E2ePanel): number[] {
  return panel
    .leftovers()
    .filter(({ command }) => command.includes(" net-keeper "))
    .map(({ pid }) => pid);
}

/** What a shell of this user prints, started where its agent was. */
export function asUser(uid: number, directory: string, script: string): string {
  const words = [
    `--reuid=${uid}`,
    `--regid=${uid}`,
    "--clear-groups",
    "--inh-caps=-all",
    "--bounding-set=-all",
    "--no-new-privs",
  ];
  const { stdout, stderr } = spawnSync("setpriv", [...words, "sh", "-c", script], { cwd: directory, encoding: "utf8" });
  return `${stdout}${stderr}`;
}
