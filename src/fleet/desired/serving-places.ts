// Where accounts may be served, as few places that many accounts share: the templates that they name and the inbounds,
// and by these two the templates that serve them. An account keeps the number of its place alone, 4 bytes.
import type { CarriedNow, TemplateInbounds } from "./template-inbounds.ts";

/** Where a user is served: on all templates, on those named, or nowhere. */
export type Templates = "all" | readonly number[] | undefined;

/** Both name the same templates, in any order. */
export function sameTemplates(a: Templates, b: Templates): boolean {
  if (a === undefined || b === undefined || a === "all" || b === "all") return a === b;
  return a.length === b.length && a.every((id) => b.includes(id));
}

/** The templates of either. */
export function unionOf(a: Templates, b: Templates): "all" | ReadonlySet<number> {
  if (a === "all" || b === "all") return "all";
  return new Set([...(a ?? []), ...(b ?? [])]);
}

export interface Place {
  readonly number: number;
  /** Templates that the account names, each once. */
  readonly named: "all" | readonly number[];
  /** The only inbounds that it may use; undefined: every one. */
  readonly inbounds: ReadonlySet<number> | undefined;
  /** The templates of these that serve it: all, or those that carry one of its inbounds. */
  readonly on: "all" | readonly number[];
  /** Unix milliseconds of the last change of `on` by a template. */
  readonly changedAt: number;
}

interface Kept extends Place {
  readonly key: string;
  on: "all" | readonly number[];
  changedAt: number;
  accounts: number;
}

/** Number of the accounts on every template and every inbound: nearly all of a usual panel. */
export const EVERYWHERE = 0;

export class Places {
  readonly #templates: TemplateInbounds;
  readonly #byKey = new Map<string, Kept>();
  readonly #byNumber: (Kept | undefined)[] = [];
  readonly #free: number[] = [];

  constructor(templates: TemplateInbounds) {
    this.#templates = templates;
    this.#byNumber[EVERYWHERE] = {
      key: "",
      number: EVERYWHERE,
      named: "all",
      inbounds: undefined,
      on: "all",
      changedAt: 0,
      accounts: 0,
    };
  }

  at(number: number): Place | undefined {
    return this.#byNumber[number];
  }

  /** An account comes to this place. */
  enter(named: "all" | readonly number[], inbounds: readonly number[] | undefined): Place {
    const place = this.#place(named, inbounds);
    place.accounts++;
    return place;
  }

  /** An account leaves it: a place of nobody is forgotten. */
  leave(number: number): void {
    const place = this.#byNumber[number];
    if (!place || number === EVERYWHERE || --place.accounts > 0) return;
    this.#byKey.delete(place.key);
    this.#byNumber[number] = undefined;
    this.#free.push(number);
  }

  /** Templates carry other inbounds now: by place, the templates that it comes to (1) and leaves (-1). */
  retemplated(now: CarriedNow, at: number): Map<number, [number, 1 | -1][]> {
    const moves = new Map<number, [number, 1 | -1][]>();
    for (const place of this.#byKey.values()) {
      const { named, inbounds } = place;
      if (!inbounds) continue;
      for (const id of now.keys()) {
        const on = place.on === "all" ? [] : place.on;
        const is = (named === "all" || named.includes(id)) && this.#templates.carries(id, inbounds);
        if (is === on.includes(id)) continue;
        place.on = is ? [...on, id] : on.filter((other) => other !== id);
        place.changedAt = at;
        const list = moves.get(place.number) ?? [];
        moves.set(place.number, list);
        list.push([id, is ? 1 : -1]);
      }
    }
    return moves;
  }

  #place(named: "all" | readonly number[], inbounds: readonly number[] | undefined): Kept {
    const first = this.#byNumber[EVERYWHERE];
    if (named === "all" && !inbounds && first) return first;
    const key = `${named === "all" ? named : named.join(",")}:${inbounds?.join(",") ?? ""}`;
    let place = this.#byKey.get(key);
    if (place) return place;
    const allowed = inbounds && new Set(inbounds);
    const number = this.#free.pop() ?? this.#byNumber.length;
    place = { key, number, named, inbounds: allowed, on: this.#servedOn(named, allowed), changedAt: 0, accounts: 0 };
    this.#byKey.set(key, place);
    this.#byNumber[number] = place;
    return place;
  }

  #servedOn(named: "all" | readonly number[], inbounds: ReadonlySet<number> | undefined): "all" | readonly number[] {
    if (!inbounds) return named;
    const among = named === "all" ? [...this.#templates.ids] : named;
    return among.filter((id) => this.#templates.carries(id, inbounds));
  }
}
