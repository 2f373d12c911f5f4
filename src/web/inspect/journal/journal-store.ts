// An actor's journal as far as this page has read it. Entries never change, so what was read once stays; a journal of a
// hundred thousand entries is read where one looks.
import type { Transition } from "../../api/frames.ts";
import type { JournalEntry } from "../wire.ts";

/** A page of the journal, newest first; `total` is the `seq` of the newest entry. */
export type LoadPage = (
  offset: number,
  limit: number,
) => Promise<{ readonly items: readonly JournalEntry[]; readonly total: number }>;

/** What the stream tells of a step: the entry without what it changed, which is read after it. */
export type HeardStep = Omit<Transition, "kind" | "id" | "name">;

export interface JournalState {
  readonly entries: ReadonlyMap<number, JournalEntry>;
  /** Newest `seq`; undefined until the first answer. */
  readonly head: number | undefined;
  readonly error: unknown;
}

/** Entries in one request. */
const PAGE = 200;

export class JournalStore {
  readonly #load: LoadPage;
  readonly #entries = new Map<number, JournalEntry>();
  readonly #asked = new Set<number>();
  readonly #absent = new Set<number>();
  readonly #listeners = new Set<() => void>();
  #state: JournalState = { entries: new Map(), head: undefined, error: undefined };

  constructor(load: LoadPage) {
    this.#load = load;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  readonly state = (): JournalState => this.#state;

  /** Reads the newest page, and by it how long the journal is. */
  async open(): Promise<void> {
    await this.#read(0, PAGE);
  }

  /** Sees to it that the entries from `first` to `last` are at hand, or are being read. */
  async ensure(first: number, last: number): Promise<void> {
    const head = this.#state.head ?? 0;
    const missing = range(Math.max(1, first), Math.min(last, head)).filter((seq) => this.#lacks(seq));
    const [lowest] = missing;
    const highest = missing.at(-1);
    if (lowest === undefined || highest === undefined) return;
    // Loads whole pages around a missing entry, so that the neighbouring steps are already there.
    const spare = Math.max(0, Math.floor((PAGE - (highest - lowest + 1)) / 2));
    const from = Math.max(1, lowest - spare);
    const to = Math.min(head, highest + spare);
    await Promise.all(chunks(from, to).map(([low, high]) => this.#read(head - high, high - low + 1)));
  }

  /** Notes steps as they are heard; `gap`: others may have been missed. */
  async heard(steps: readonly HeardStep[], gap: boolean): Promise<void> {
    const before = this.#state.head ?? 0;
    let head = before;
    for (const step of steps) {
      head = Math.max(head, step.seq);
      if (!this.#entries.has(step.seq)) this.#entries.set(step.seq, this.#provisional(step));
    }
    if (head !== before) this.#tell({ head });
    if (gap || head !== before) await this.#read(0, Math.min(PAGE, Math.max(20, head - before)));
  }

  #provisional(step: HeardStep): JournalEntry {
    const { seq, at, event, from, to, actor, atMs = at * 1000 } = step;
    const before = this.#entries.get(seq - 1);
    return {
      seq,
      at,
      atMs,
      event,
      from,
      to,
      actor,
      effects: [],
      took: before ? Math.max(0, atMs - before.atMs) : 0,
      changed: PENDING,
    };
  }

  #lacks(seq: number): boolean {
    return (
      !this.#absent.has(seq) &&
      !this.#asked.has(seq) &&
      (!this.#entries.has(seq) || this.#entries.get(seq)?.changed === PENDING)
    );
  }

  async #read(offset: number, limit: number): Promise<void> {
    const head = this.#state.head;
    const wanted = head === undefined ? [] : range(Math.max(1, head - offset - limit + 1), head - offset);
    for (const seq of wanted) this.#asked.add(seq);
    try {
      const { items, total } = await this.#load(offset, limit);
      for (const entry of items) this.#entries.set(entry.seq, entry);
      // The journal did not grow meanwhile, so what the answer lacks is not there.
      if (total === head) for (const seq of wanted) if (!this.#entries.has(seq)) this.#absent.add(seq);
      this.#tell({ head: Math.max(total, this.#state.head ?? 0), error: undefined });
    } catch (error) {
      this.#tell({ error });
    } finally {
      for (const seq of wanted) this.#asked.delete(seq);
    }
  }

  #tell(change: Partial<JournalState>): void {
    this.#state = { ...this.#state, ...change, entries: new Map(this.#entries) };
    for (const listener of this.#listeners) listener();
  }
}

/** Stands for what a step changed until its entry is read: an entry that names nothing of it. */
const PENDING: Record<string, [unknown, unknown]> = { "[cut]": ["[cut]", "[cut]"] };

function range(first: number, last: number): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
}

function chunks(from: number, to: number): [number, number][] {
  const count = Math.ceil((to - from + 1) / PAGE);
  return Array.from({ length: count }, (_, index) => [
    from + index * PAGE,
    Math.min(to, from + (index + 1) * PAGE - 1),
  ]);
}
