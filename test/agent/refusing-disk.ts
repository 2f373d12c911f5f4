// Data directories whose disk can be made to refuse everything, and well again: one that is full, one that is
// read-only.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { processesOf } from "../e2e/processes.ts";
import { mountSmallDisk } from "../faults/disk.ts";

/** A data directory whose disk can be made to refuse everything. */
export interface RefusingDisk {
  readonly directory: string;
  refuse(): void;
  accept(): void;
  remove(): void;
}

function fullDisk(): RefusingDisk | undefined {
  const disk = mountSmallDisk(2, "mode=0700");
  if (!disk) return undefined;
  return { directory: disk.path, refuse: () => disk.fill(), accept: () => disk.empty(), remove: () => disk.unmount() };
}

/**
 * Immutable files and folders refuse as a file system does that was remounted read-only after an error: also through
 * what is open already.
 */
function readOnlyDisk(): RefusingDisk | undefined {
  const directory = mkdtempSync(join(tmpdir(), "signalbox-read-only-"));
  const data = join(directory, "data");
  const mark = (sign: "+i" | "-i"): boolean => {
    const paths = [data, ...readdirSync(data, { recursive: true, encoding: "utf8" }).map((name) => join(data, name))];
    // One after another, folders first: a draft that is renamed meanwhile is no reason to leave the rest.
    return paths.map((path) => spawnSync("chattr", ["-f", sign, path]).status).every((status) => status === 0);
  };
  mkdirSync(join(directory, "data"), { mode: 0o700 });
  const remove = (): void => {
    mark("-i");
    rmSync(directory, { recursive: true, maxRetries: 5 });
  };
  if (mark("+i") && mark("-i"))
    return { directory, refuse: () => void mark("+i"), accept: () => void mark("-i"), remove };
  console.warn("skipped: a read-only disk (this file system, or this user, cannot make files immutable)");
  remove();
  return undefined;
}

const REFUSING_DISKS = { full: fullDisk, "read-only": readOnlyDisk } as const;
export type DiskKind = keyof typeof REFUSING_DISKS;

/** The kinds that can be made here. */
export function disksHere(): readonly DiskKind[] {
  return (["full", "read-only"] as const).filter((kind) => {
    const disk = REFUSING_DISKS[kind]();
    disk?.remove();
    return disk !== undefined;
  });
}

/** A refusing disk for the running test; afterwards whatever still runs on it is ended, and the disk is gone. */
export function diskOfTest(kind: DiskKind): RefusingDisk {
  const disk = REFUSING_DISKS[kind]();
  if (!disk) throw new Error("the disk cannot be made");
  onTestFinished(() => {
    for (const { pid } of processesOf(disk.directory)) process.kill(pid, "SIGKILL");
    disk.remove();
  });
  return disk;
}

/** A trust file beside the disk, which must stay readable. */
export function trustFileOfTest(pem: string): string {
  const directory = mkdtempSync(join(tmpdir(), "signalbox-trust-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const path = join(directory, "trust.pem");
  writeFileSync(path, pem);
  return path;
}
