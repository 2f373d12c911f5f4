// What the numbers were measured on, in one line: without it they cannot be compared with anybody else's.
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { cpus, loadavg, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { quantile } from "./table.ts";

const SYNCS = 200;
const PAGE = Buffer.alloc(4096, 1);
/** Processes that wait for a core beside the bench's own; with more than this the machine is not quiet. */
const QUIET = 0.5;

/** `2 cores (AMD EPYC), 24 GiB, node 24.21.0, PostgreSQL 15.18, fdatasync p50 0.31 ms p99 0.72 ms, load 0.04`. */
export async function machineFacts(): Promise<string> {
  const cores = cpus();
  const sync = syncTimes();
  const ms = (share: number) => `${quantile(sync, share).toFixed(2)} ms`;
  return [
    `${cores.length} cores (${cores[0]?.model.trim() ?? "unknown"})`,
    `${Math.round(totalmem() / 2 ** 30)} GiB`,
    `node ${process.versions.node}`,
    await postgresFacts(),
    `fdatasync of 4 KiB p50 ${ms(0.5)} p99 ${ms(0.99)}`,
    `load ${loadavg()[0]?.toFixed(2)}`,
  ].join(", ");
}

/** A sentence when other work runs on the machine, else undefined. */
export function disturbance(): string | undefined {
  const load = loadavg()[0] ?? 0;
  return load > QUIET
    ? `the machine is busy (load ${load.toFixed(2)}): compare what stands in one table only`
    : undefined;
}

/** Milliseconds that a written page takes to the disk, where the benches' databases are. */
function syncTimes(): number[] {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-bench-"));
  const file = openSync(join(folder, "sync"), "w");
  try {
    return Array.from({ length: SYNCS }, () => {
      const began = performance.now();
      writeSync(file, PAGE);
      fdatasyncSync(file);
      return performance.now() - began;
    });
  } finally {
    closeSync(file);
    rmSync(folder, { recursive: true });
  }
}

async function postgresFacts(): Promise<string> {
  const server = process.env["PG_URL"];
  if (!server) return "no PostgreSQL";
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    const shown = async (name: string) =>
      Object.values((await client.query<Record<string, string>>(`show ${name}`)).rows[0] ?? {})[0] ?? "";
    const version = (await shown("server_version")).split(" ")[0];
    const lax = [];
    for (const name of ["fsync", "synchronous_commit", "full_page_writes"]) {
      const value = await shown(name);
      if (value !== "on") lax.push(`${name} = ${value}`);
    }
    return `PostgreSQL ${version}${lax.length > 0 ? ` (not durable: ${lax.join(", ")})` : ""}`;
  } finally {
    await client.end();
  }
}
