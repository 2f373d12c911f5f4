// A small disk of the test's own: a tmpfs that can be filled up and emptied again. Needs the right to mount.
import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface SmallDisk {
  readonly path: string;
  /** Leaves no free byte. Repeated calls take what was freed meanwhile. */
  fill(): void;
  /** Gives back what `fill` took. */
  empty(): void;
  unmount(): void;
}

/** Undefined where mounting is not permitted; in CI it must be. */
export function mountSmallDisk(megabytes: number, options = "mode=0755"): SmallDisk | undefined {
  const path = mkdtempSync(join(tmpdir(), "signalbox-disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m,${options}`, "tmpfs", path], { stdio: "pipe" });
  } catch (cause) {
    rmSync(path, { recursive: true });
    if (process.env["CI"] === "true") throw new Error("a tmpfs must be mountable in CI", { cause });
    console.warn("skipped: tests on a small disk (mounting a tmpfs is not permitted)");
    return undefined;
  }
  const ballast = join(path, "ballast");
  return {
    path,
    fill: () => {
      const file = openSync(ballast, "a");
      try {
        for (const size of [65_536, 4096]) while (statfsSync(path).bavail * 4096 >= size && append(file, size));
      } finally {
        closeSync(file);
      }
    },
    empty: () => rmSync(ballast, { force: true }),
    unmount: () => {
      execFileSync("umount", ["-l", path], { stdio: "pipe" });
      rmSync(path, { recursive: true, force: true });
    },
  };
}

/** False once the disk is full. */
function append(file: number, size: number): boolean {
  try {
    return writeSync(file, Buffer.alloc(size, 1)) === size;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOSPC") return false;
    throw error;
  }
}
