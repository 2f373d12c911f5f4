// A panel on a store that the test can harm: its own data directory and database, its log read line by line, the CPU
// time it uses.
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { quietPorts } from "../quiet-ports.ts";
import { startOrigin } from "../e2e/origin.ts";
import { E2ePanel } from "../e2e/panel.ts";

export interface FaultyPanelOptions {
  /** Where the database is; the default is a SQLite file in the data directory. */
  readonly databaseUrl?: string;
  /** Data directory; the default is a new one. */
  readonly directory?: string;
  readonly variables?: Readonly<Record<string, string>>;
  /** Whether the panel is started and set up; the default. */
  readonly setUp?: boolean;
}

/** A panel that is set up and serves. Call `dispose` in `afterAll`; it leaves a database given by URL to its owner. */
export async function startFaultyPanel(options: FaultyPanelOptions = {}): Promise<E2ePanel> {
  const directory = options.directory ?? mkdtempSync(join(tmpdir(), "signalbox-faults-"));
  const [port = 0] = await quietPorts(1);
  const panel = new E2ePanel({
    directory,
    port,
    databaseUrl: options.databaseUrl ?? `sqlite:${join(directory, "panel.db")}`,
    dropDatabase: async () => {},
    engine: "embedded",
    origin: await startOrigin(),
    ...(options.variables && { variables: options.variables }),
  });
  if (options.setUp === false) return panel;
  try {
    await panel.setUp();
  } catch (error) {
    await panel.dispose();
    throw error;
  }
  return panel;
}

/** Lines that a panel logged at `warn` or above since it wrote `from` characters. */
export function complaints(panel: E2ePanel, from: number): string[] {
  return panel.output
    .slice(from)
    .split("\n")
    .filter((line) => /^\{"level":[4-6]0/.test(line));
}

/** Messages that a panel logged, at any level, since it wrote `from` characters. */
export function messages(panel: E2ePanel, from: number): string[] {
  return [...panel.output.slice(from).matchAll(/^\{"level":.*"msg":"((?:[^"\\]|\\.)*)"\}$/gm)].map(
    (match) => match[1] ?? "",
  );
}

/** Seconds of CPU time that a process has used so far. */
export function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  // User and system time in ticks of a hundredth (proc(5): fields 14 and 15, counted from 3 here).
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
