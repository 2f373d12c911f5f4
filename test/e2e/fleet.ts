// A simulated fleet beside a panel: `signalbox simulate` as a process of its own, its report, and the records of its
// nodes and users.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { Api } from "./api.ts";
import { Program, SIGNALBOX } from "./processes.ts";

const Report = z.object({
  nodes: z.record(
    z.string(),
    z.object({
      users: z.record(z.string(), z.object({ up: z.number(), down: z.number() })),
      links: z.number(),
      dials: z.number(),
    }),
  ),
});
export type Report = z.output<typeof Report>;

export interface FleetOptions {
  /** Where the trust file and the report are kept. */
  readonly directory: string;
  readonly port: number;
  /** Percent of the users that move traffic at a time. */
  readonly active: number;
  /** Bytes a second of an active user. */
  readonly rate: number;
  /** Another one is another key, as of agents that were installed again. */
  readonly seed?: number;
}

export interface SimulatedFleet {
  readonly pid: number;
  report(): Report;
  stop(): Promise<void>;
}

/** Starts a fleet that trusts a panel. Resolves once it listens. */
export async function startFleet(
  api: Api,
  { directory, port, active, rate, seed = 7 }: FleetOptions,
): Promise<SimulatedFleet> {
  const { certificate } = z.object({ certificate: z.string() }).parse(await api.ok("GET", "/nodes/install/trust"));
  const trust = join(directory, "fleet-trust.pem");
  const report = join(directory, "fleet-report.json");
  writeFileSync(trust, certificate);
  const figures = ["--active", String(active), "--rate", String(rate), "--seed", String(seed), "--report", report];
  const program = new Program({
    command: process.execPath,
    args: [...SIGNALBOX, "simulate", "--listen", `0.0.0.0:${port}`, "--trust", trust, ...figures],
  });
  await program.says(/"listening"/);
  return {
    pid: program.pid,
    report: () => Report.parse(JSON.parse(readFileSync(report, "utf8"))),
    stop: async () => {
      await program.end("SIGTERM");
    },
  };
}

/** Addresses of a fleet: 127.1.0.1, 127.1.0.2 …, 250 in each row. */
export function addressOf(index: number): string {
  return `127.1.${Math.floor(index / 250)}.${(index % 250) + 1}`;
}

/** Creates `count` records of a collection, a few requests at a time; resolves to their ids in order. */
export async function makeMany(
  api: Api,
  collection: "nodes" | "templates" | "inbounds",
  count: number,
  body: (index: number) => object,
): Promise<number[]> {
  const ids: number[] = Array.from({ length: count });
  let next = 0;
  const work = async () => {
    for (let index = next++; index < count; index = next++) ids[index] = await api.make(collection, body(index));
  };
  await Promise.all(Array.from({ length: 16 }, work));
  return ids;
}

const Batch = z.object({ created: z.array(z.object({ id: z.number() })), problems: z.array(z.unknown()) });

/** Creates users by the thousand; resolves to their ids in order. */
export async function makeUsers(api: Api, count: number, body: (index: number) => object): Promise<number[]> {
  const ids: number[] = [];
  for (let from = 0; from < count; from += 1000) {
    const users = Array.from({ length: Math.min(1000, count - from) }, (_, index) => body(from + index));
    const { created, problems } = Batch.parse(await api.ok("POST", "/users/batch", { users }));
    if (problems.length > 0) throw new Error(`users were not created: ${JSON.stringify(problems[0])}`);
    ids.push(...created.map(({ id }) => id));
  }
  return ids;
}

const Total = z.object({ total: z.number() });

/** How many nodes have a status. */
export async function nodesWith(api: Api, status: string): Promise<number> {
  return Total.parse(await api.ok("GET", `/nodes?limit=1&status=${status}`)).total;
}

const UsagePage = z.object({
  cursor: z.union([z.string(), z.number()]),
  rows: z.array(z.object({ id: z.number(), up: z.number(), down: z.number() })),
});

/** Bytes by user as the panel counted them, of users that have any; read as an integration reads them. */
export async function usageOf(api: Api): Promise<Map<number, { up: number; down: number }>> {
  const usage = new Map<number, { up: number; down: number }>();
  for (let cursor: string | number = 0; ;) {
    const page = UsagePage.parse(await api.ok("GET", `/users/usage?since=${cursor}&limit=1000`));
    for (const { id, up, down } of page.rows) if (up + down > 0) usage.set(id, { up, down });
    if (page.rows.length < 1000) return usage;
    cursor = page.cursor;
  }
}

type Usage = ReadonlyMap<number, { readonly up: number; readonly down: number }>;

/**
 * What the panel must have counted of the first `nodes` nodes: by user over all of them, each in its multiplier (halves
 * at the finest), the fraction of a byte cut off at the very end.
 */
export function expectedUsage(report: Report, nodes: number, multiplierOf: (node: number) => number): Usage {
  const halves = new Map<number, { up: number; down: number }>();
  for (let index = 0; index < nodes; index++) {
    for (const [id, { up, down }] of Object.entries(report.nodes[addressOf(index)]?.users ?? {})) {
      const sum = halves.get(Number(id)) ?? { up: 0, down: 0 };
      halves.set(Number(id), {
        up: sum.up + up * 2 * multiplierOf(index),
        down: sum.down + down * 2 * multiplierOf(index),
      });
    }
  }
  return new Map([...halves].map(([id, { up, down }]) => [id, { up: Math.floor(up / 2), down: Math.floor(down / 2) }]));
}

/** The first users whose figures differ, as sentences. */
export function differences(expected: Usage, counted: Usage): string[] {
  const ids = new Set([...expected.keys(), ...counted.keys()]);
  return [...ids]
    .flatMap((id) => {
      const [want, have] = [JSON.stringify(expected.get(id)), JSON.stringify(counted.get(id))];
      return want === have ? [] : [`user ${id}: agents ${want}, panel ${have}`];
    })
    .slice(0, 5);
}
