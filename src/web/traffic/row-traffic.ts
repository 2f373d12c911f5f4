// The traffic of one row of a list. Rows that come into sight at about the same time ask in one request; who scrolls
// past them asks once the list stands still.
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { call, type ApiError } from "../api/call.ts";
import { lineOf, type Line, type SparklinesRow } from "./row-line.ts";

export type RowPath = "/users/sparklines" | "/nodes/sparklines";

interface Answer {
  readonly rows: readonly SparklinesRow[];
}
interface Waiting {
  readonly resolve: (line: Line | null) => void;
  readonly reject: (error: unknown) => void;
}

/** The route takes no more ids at once. */
const MOST = 200;
const STILL_MS = 80;
const FRESH_MS = 60_000;
const AGAIN_MS = 300_000;

class Together {
  readonly #path: RowPath;
  #waiting = new Map<number, Waiting[]>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(path: RowPath) {
    this.#path = path;
  }

  /** Null: the record is not there any more. */
  ask(id: number): Promise<Line | null> {
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, [...(this.#waiting.get(id) ?? []), { resolve, reject }]);
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#send(), STILL_MS);
    });
  }

  #send(): void {
    const all = [...this.#waiting];
    this.#waiting = new Map();
    for (let from = 0; from < all.length; from += MOST) void this.#answer(all.slice(from, from + MOST));
  }

  async #answer(asked: readonly (readonly [number, readonly Waiting[]])[]): Promise<void> {
    const ids = asked.map(([id]) => id).join(",");
    try {
      const { rows } = await call<Answer>("GET", this.#path, { query: { ids } });
      const lines = new Map(rows.map((row) => [row.id, lineOf(row)]));
      for (const [id, waiting] of asked) for (const { resolve } of waiting) resolve(lines.get(id) ?? null);
    } catch (error) {
      for (const [, waiting] of asked) for (const { reject } of waiting) reject(error);
    }
  }
}

const together: Readonly<Record<RowPath, Together>> = {
  "/users/sparklines": new Together("/users/sparklines"),
  "/nodes/sparklines": new Together("/nodes/sparklines"),
};

export function useRowTraffic(path: RowPath, id: number): UseQueryResult<Line | null, ApiError> {
  return useQuery<Line | null, ApiError>({
    queryKey: [path, id],
    queryFn: () => together[path].ask(id),
    staleTime: FRESH_MS,
    refetchInterval: AGAIN_MS,
    refetchOnWindowFocus: false,
  });
}
