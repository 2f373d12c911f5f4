// What the host says of itself: load, processor, memory, disk, and how the agent was set up. A figure that cannot be
// read is absent.
import { existsSync, readFileSync } from "node:fs";
import { readFile, statfs } from "node:fs/promises";
import { cpus, freemem, loadavg, totalmem, uptime } from "node:os";
import type { LiveFigures } from "../protocol/messages.ts";

/** `amd64`, `arm64`, or Node's own name for anything else. */
export function hostArch(arch: string = process.arch): string {
  return arch === "x64" ? "amd64" : arch;
}

/** What the agent runs in: `docker`, `podman`, `lxc`, `containerd` or `linux` (nothing of the kind). */
export function hostSetup(): string {
  if (existsSync("/.dockerenv")) return "docker";
  if (existsSync("/run/.containerenv")) return "podman";
  if (process.env["container"] === "lxc" || readable("/run/systemd/container").trim() === "lxc") return "lxc";
  if (/io\.containerd\.snapshotter|kubepods/.test(readable("/proc/self/mountinfo"))) return "containerd";
  return "linux";
}

/** Reads the host's figures; the processor's share is over the time since the reading before. */
export class HostMeter {
  readonly #directory: string;
  #cpu = cpuTimes();

  /** `directory`: on the disk whose space is told. */
  constructor(directory: string) {
    this.#directory = directory;
  }

  async read(): Promise<LiveFigures> {
    const [load1 = 0, load5 = 0, load15 = 0] = loadavg();
    const [disk, available] = await Promise.all([this.#disk(), availableMemory()]);
    const memoryTotal = totalmem();
    return {
      uptime: Math.floor(uptime()),
      load1,
      load5,
      load15,
      ...this.#cpuPercent(),
      memoryTotal,
      memoryUsed: Math.max(0, memoryTotal - available),
      ...disk,
    };
  }

  #cpuPercent(): Pick<LiveFigures, "cpuPercent"> {
    const before = this.#cpu;
    const now = cpuTimes();
    this.#cpu = now;
    const total = now.total - before.total;
    // Within one clock tick there is nothing to compare.
    return total <= 0 ? {} : { cpuPercent: Math.round(1000 * (1 - (now.idle - before.idle) / total)) / 10 };
  }

  async #disk(): Promise<Pick<LiveFigures, "diskUsed" | "diskTotal">> {
    try {
      const { bsize, blocks, bfree } = await statfs(this.#directory);
      return { diskTotal: blocks * bsize, diskUsed: (blocks - bfree) * bsize };
    } catch {
      return {}; // Not told by this file system: absent, as the protocol says.
    }
  }
}

function cpuTimes(): { total: number; idle: number } {
  const times = cpus().map((cpu) => cpu.times);
  return {
    total: times.reduce((sum, time) => sum + time.user + time.nice + time.sys + time.idle + time.irq, 0),
    idle: times.reduce((sum, time) => sum + time.idle, 0),
  };
}

/** Bytes that programs could still take; where the kernel does not say, those that are free. */
async function availableMemory(): Promise<number> {
  try {
    const match = /^MemAvailable:\s+(\d+) kB$/m.exec(await readFile("/proc/meminfo", "utf8"));
    return match === null ? freemem() : Number(match[1]) * 1024;
  } catch {
    return freemem(); // No /proc: not Linux.
  }
}

function readable(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return ""; // Absent or closed to us: it says nothing.
  }
}
