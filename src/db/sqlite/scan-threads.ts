// Queries that may walk through many rows, off the thread that answers everybody: SQLite works on the thread that asks
// it, and a search through a million rows takes seconds.
import type { Worker } from "node:worker_threads";
import { StoreUnavailable } from "../errors.ts";
import type { Row } from "../table.ts";
import type { Sql } from "../store.ts";
import { readFailure } from "./read-connection.ts";
import type { ScanRequest, ScanResponse } from "./scanner.ts";
import { startThread } from "./threads.ts";

interface Waiting {
  resolve(rows: Row[]): void;
  reject(error: Error): void;
}

/** Two: a page of a list does not wait for a long search. */
const THREADS = 2;

/** Threads are started when they are first needed; one that ends is replaced at the next query. */
export class ScanThreads {
  readonly #file: string;
  readonly #threads = new Set<ScanThread>();
  #closed = false;

  constructor(file: string) {
    this.#file = file;
  }

  /** Rows of a query as the driver returns them, of everything that was committed when it was asked. */
  read(sql: Sql): Promise<Row[]> {
    if (this.#closed) return Promise.reject(new StoreUnavailable("the database is closed"));
    return this.#idlest().read(sql);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#threads].map((thread) => thread.close()));
  }

  #idlest(): ScanThread {
    const [idlest] = [...this.#threads].toSorted((one, other) => one.waiting - other.waiting);
    if (idlest && (idlest.waiting === 0 || this.#threads.size >= THREADS)) return idlest;
    const thread: ScanThread = new ScanThread(this.#file, () => this.#threads.delete(thread));
    this.#threads.add(thread);
    return thread;
  }
}

class ScanThread {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  readonly #exited: Promise<void>;
  #next = 1;

  /** `onEnd`: it takes no more queries. */
  constructor(file: string, onEnd: () => void) {
    this.#worker = startThread("./scanner.ts", file);
    this.#worker.on("message", (response: ScanResponse) => this.#answer(response));
    const end = (error: Error) => {
      onEnd();
      for (const waiting of this.#waiting.values())
        waiting.reject(new StoreUnavailable("a database reader ended", { cause: error }));
      this.#waiting.clear();
    };
    this.#worker.on("error", (error) => end(error instanceof Error ? error : new Error(String(error))));
    this.#exited = new Promise((resolve) =>
      this.#worker.on("exit", () => {
        end(new Error("the thread is gone"));
        resolve();
      }),
    );
  }

  /** Queries that it has not answered yet. */
  get waiting(): number {
    return this.#waiting.size;
  }

  read({ text, values }: Sql): Promise<Row[]> {
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#worker.postMessage({ id, text, values } satisfies ScanRequest);
    });
  }

  close(): Promise<void> {
    this.#worker.postMessage("close");
    return this.#exited;
  }

  #answer(response: ScanResponse): void {
    const waiting = this.#waiting.get(response.id);
    this.#waiting.delete(response.id);
    if (!waiting) return;
    if ("rows" in response) waiting.resolve([...response.rows]);
    else waiting.reject(readFailure(response.failure, new Error(response.failure.message)));
  }
}
