// The live stream of transitions (rules inspector.stream): at most ten frames a second, each with the absolute figures
// of what changed (actors in a state, transitions on a wire per minute), and rows as far as the reader keeps up.
//
// Invariants:
// - The first frame carries all figures of what was asked for; a reader that adds the later ones has the current
//   figures. If a slow reader misses a frame, the next one makes up for it.
// - What a commit costs here does not grow with the readers: they are told by filter (`Audience`), and of one row there
//   are three at most that concern it.
import type { WebSocket } from "ws";
import { z } from "zod";
import type { Committed, Committer } from "../../db/index.ts";
import { matching, rule, ruleSaying, socket, type Socket } from "../../http/index.ts";
import { DELETED, FAULT, TRANSITION, type FaultChange, type Transition } from "../../runtime/index.ts";
import { Audience, type Frame } from "./audience.ts";
import type { Counts, StateCounts } from "./counts.ts";
import { FlowMeter, type Flow } from "./flow.ts";

/** A little more than a tenth of a second: no second holds more than ten frames, however clocks round. */
const FRAME_MS = 105;

export interface ActorStreamOptions {
  readonly commits: Pick<Committer, "onCommit">;
  readonly counts: StateCounts;
  /** Unix milliseconds, the same clock that commits are dated by. */
  readonly now: () => number;
}

export class ActorStream {
  readonly counts: StateCounts;
  readonly #now: () => number;
  readonly #flow = new FlowMeter();
  readonly #audiences = new Map<string, Audience>();
  readonly #timer: NodeJS.Timeout;
  readonly #stopListening: () => void;

  constructor({ commits, counts, now }: ActorStreamOptions) {
    this.counts = counts;
    this.#now = now;
    this.#stopListening = commits.onCommit((committed) => this.#committed(committed));
    this.#timer = setInterval(() => this.#sendFrames(), FRAME_MS);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#stopListening();
    for (const audience of this.#audiences.values()) audience.close(1001);
  }

  /** Begins to tell a reader of all actors, of those of a kind, or of one. */
  add(opened: WebSocket, kind: string | undefined, id: number | undefined): void {
    const name = nameOf(kind, id);
    const audience = this.#audiences.get(name) ?? new Audience(kind, id !== undefined);
    this.#audiences.set(name, audience);
    const leave = audience.add(opened, performance.now() + FRAME_MS);
    opened.on("close", () => {
      leave();
      if (audience.size === 0 && this.#audiences.get(name) === audience) this.#audiences.delete(name);
    });
    this.#advance(secondOf());
    const counts = kind === undefined ? this.counts.all() : { [kind]: this.counts.of(kind) };
    const flow = kind === undefined ? this.#flow.of() : this.#flow.ofKind(kind);
    opened.send(textOf({ rows: [], counts, flow, faults: [], dropped: 0, at: this.#now() }));
  }

  #committed({ facts }: Committed): void {
    for (const change of facts.of(FAULT)) {
      for (const name of namesOf(change)) this.#audiences.get(name)?.fault(change);
    }
    const transitions = facts.of(TRANSITION);
    if (transitions.length === 0) return;
    const second = secondOf();
    this.#advance(second);
    for (const transition of transitions) {
      this.counts.note(transition);
      this.#note(transition, this.#flow.note(transition, second));
    }
  }

  #note(transition: Transition, wire: string): void {
    const { kind, from, to } = transition;
    for (const name of namesOf(transition)) this.#audiences.get(name)?.row(transition);
    for (const audience of this.#concerned(kind)) {
      audience.wire(wire);
      for (const state of [from, to]) if (state !== null && state !== DELETED) audience.state(`${kind} ${state}`);
    }
  }

  /** A transition that has become quiet, or nearly so, is also reported. */
  #advance(second: number): void {
    for (const wire of this.#flow.advance(second)) {
      for (const audience of this.#concerned(this.#flow.kindOf(wire))) audience.wire(wire);
    }
  }

  *#concerned(kind: string | undefined): Iterable<Audience> {
    for (const audience of this.#audiences.values())
      if (audience.kind === undefined || audience.kind === kind) yield audience;
  }

  #sendFrames(): void {
    if (this.#audiences.size === 0) return;
    this.#advance(secondOf());
    const at = this.#now();
    const text = ({ rows, states, wires, faults, dropped }: Frame) => {
      const [counts, flow] = [this.#countsOf(states), this.#flow.of(wires)];
      return textOf({ rows: rows.map(rowOf), counts, flow, faults: faults.map(faultOf), dropped, at });
    };
    const now = performance.now();
    for (const audience of this.#audiences.values()) audience.send(now, text);
  }

  #countsOf(states: ReadonlySet<string>): Counts {
    const counts: Counts = {};
    for (const name of states) {
      const [kind = ""] = name.split(" ", 1);
      const state = name.slice(kind.length + 1);
      (counts[kind] ??= {})[state] = this.counts.get(kind, state);
    }
    return counts;
  }
}

interface Message {
  readonly rows: readonly ReturnType<typeof rowOf>[];
  readonly counts: Counts;
  readonly flow: Flow;
  /** Actors that came into quarantine, or left it (`fault` null). */
  readonly faults: readonly ReturnType<typeof faultOf>[];
  readonly dropped: number;
  /** Unix milliseconds of the panel's clock. */
  readonly at: number;
}

function textOf(message: Message): string {
  return JSON.stringify(message);
}

function nameOf(kind?: string, id?: number): string {
  return id === undefined ? (kind ?? "") : `${kind ?? ""} ${id}`;
}

/** The audiences of an actor's change: all actors, its kind, the actor alone. */
function namesOf({ kind, id }: Pick<Transition, "kind" | "id">): string[] {
  return [nameOf(), nameOf(kind), nameOf(kind, id)];
}

/** Seconds of a clock that is never set. */
function secondOf(): number {
  return Math.floor(performance.now() / 1000);
}

function rowOf({ kind, id, name, seq, at, event, from, to, origin }: Transition) {
  return { kind, id: String(id), name, seq, at: Math.floor(at / 1000), atMs: at, event, from, to, actor: origin.actor };
}

function faultOf({ kind, id, name, fault }: FaultChange) {
  return { kind, id: String(id), name, fault: fault && { ...fault, at: Math.floor(fault.at / 1000) } };
}

export function actorSockets(stream: ActorStream): Socket[] {
  return [
    socket({
      path: "/actors/stream",
      scope: "stats:read",
      summary: "Transitions as they commit",
      description:
        "Of all actors, of one `kind`, or of one actor (`kind` and `id`): then every transition of it, otherwise a sample.",
      query: z
        .object({
          kind: z
            .string()
            .refine((kind) => stream.counts.has(kind), ruleSaying("there are no actors of this kind", "unfit"))
            .optional(),
          id: z
            .string()
            .check(matching(/^\d{1,16}$/, rule("id")))
            .optional(),
        })
        .refine(({ kind, id }) => id === undefined || kind !== undefined, {
          path: ["kind"],
          ...rule("needed_with", "id"),
        }),
      handle: (client, { query }) =>
        stream.add(client, query.kind, query.id === undefined ? undefined : Number(query.id)),
    }),
  ];
}
