// What a simulated fleet has counted, as a file that is rewritten twice a second. Readers always find a whole one.
import { rename, writeFile } from "node:fs/promises";
import type { Tally } from "./tally.ts";

const REPORT_MS = 500;

/** One node as the report sees it. */
export interface ReportedNode {
  readonly address: string;
  readonly totals: Tally;
  /** Moves whenever `totals` does. */
  readonly changes: number;
  /** Panels that hold the node now: 0 or 1. Read-only links are not counted. */
  readonly links: number;
  /** Times that a panel took hold of it. */
  readonly dials: number;
}

export class Report {
  readonly #path: string;
  readonly #nodes: () => Iterable<ReportedNode>;
  readonly #now: () => number;
  readonly #onProblem: (problem: string, error?: unknown) => void;
  /** The users' text of each node at its last change: most nodes stand still between two reports. */
  readonly #texts = new Map<string, { changes: number; text: string }>();
  readonly #timer: NodeJS.Timeout;
  #writing: Promise<void> | undefined;

  /** `now` in milliseconds. */
  constructor(
    path: string,
    nodes: () => Iterable<ReportedNode>,
    now: () => number,
    onProblem: (problem: string, error?: unknown) => void,
  ) {
    this.#path = path;
    this.#nodes = nodes;
    this.#now = now;
    this.#onProblem = onProblem;
    this.#timer = setInterval(() => void this.write(), REPORT_MS);
  }

  /** Never rejects; a report in work is not overtaken by another. */
  write(): Promise<void> {
    this.#writing ??= this.#write()
      .catch((error: unknown) => this.#onProblem(`the report could not be written to ${this.#path}`, error))
      .finally(() => {
        this.#writing = undefined;
      });
    return this.#writing;
  }

  /** Writes a last time. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#writing;
    await this.write();
  }

  async #write(): Promise<void> {
    const nodes = Array.from(this.#nodes(), (node) => this.#text(node));
    const temporary = `${this.#path}.new`;
    await writeFile(temporary, `{"at":${Math.floor(this.#now() / 1000)},"nodes":{${nodes.join(",")}}}\n`);
    await rename(temporary, this.#path);
  }

  #text(node: ReportedNode): string {
    return `${JSON.stringify(node.address)}:{"users":{${this.#users(node)}},"links":${node.links},"dials":${node.dials}}`;
  }

  #users({ address, changes, totals }: ReportedNode): string {
    const known = this.#texts.get(address);
    if (known?.changes === changes) return known.text;
    const text = Array.from(totals.rows(), ([id, up, down]) => `"${id}":{"up":${up},"down":${down}}`).join(",");
    this.#texts.set(address, { changes, text });
    return text;
  }
}
