// Secrets of actors (a password for SSH) in the memory of the process that took the request, for the errands that need
// them. No row, log line, journal entry or message to another process has them.
//
// Invariants:
// - A row of `errands` names the process that has an actor's secrets (`home`), and nothing else of them. It is written
//   in the commit of the request. Errands that need secrets run in that process alone.
// - They are forgotten at their deadline, when the actor goes, when `drop` is committed, and when the process stops.
//   What is forgotten is overwritten. A text that an errand took is the errand's own: it must not keep it.
// - A process that ends takes them with it: an errand that still needs them fails with `secret_lost`.
import type { Cancel, Clock } from "../lib/clock.ts";
import type { Draft, Facts } from "../db/index.ts";
import { ErrandRows, errandId, type ErrandRow } from "./errand.entity.ts";
import { SECRETS_DROPPED, SECRETS_GIVEN } from "./facts.ts";
import { EffectFailure, problem } from "./problems.ts";

/** Actors whose secrets a process keeps at most. */
const MOST = 1000;
/** Shorter texts are not looked for in what an errand writes: they would be found everywhere. */
const REDACTED_FROM = 4;
const REDACTED = "[redacted]";

/** Secrets by name. */
export type SecretValues = Readonly<Record<string, string | Uint8Array>>;

/** What an errand sees of its actor's secrets. */
export interface SecretsReader {
  /** The secret of that name; undefined: none was handed over. Throws `SecretLost` once they are forgotten. */
  text(name: string): string | undefined;
  bytes(name: string): Uint8Array | undefined;
  /**
   * A text with `[redacted]` for each secret that stands in it: as it is, each of its lines, or as programs quote it.
   * Once they are forgotten, the whole text.
   */
  redact(text: string): string;
}

/** The process that had the secrets has ended, or their time is over. */
export class SecretLost extends EffectFailure {
  override readonly name = "SecretLost";
  constructor() {
    super(problem("the secrets that it needs are no longer in memory", "secret_lost"));
  }
}

/** The secrets of one actor. Its fields are private, so no log and no JSON shows them. */
class Kept implements SecretsReader {
  readonly #values: Map<string, Buffer>;
  #forgotten = false;

  constructor(values: SecretValues) {
    this.#values = new Map(Object.entries(values).map(([name, value]) => [name, Buffer.from(value)]));
  }

  text(name: string): string | undefined {
    return this.#found(name)?.toString("utf8");
  }

  bytes(name: string): Uint8Array | undefined {
    return this.#found(name);
  }

  redact(text: string): string {
    // What must not be seen is forgotten too.
    if (this.#forgotten) return text === "" ? text : REDACTED;
    let shown = text;
    for (const value of this.#values.values())
      for (const form of formsOf(value)) if (shown.includes(form)) shown = shown.replaceAll(form, REDACTED);
    return shown;
  }

  forget(): void {
    this.#forgotten = true;
    for (const value of this.#values.values()) value.fill(0);
    this.#values.clear();
  }

  #found(name: string): Buffer | undefined {
    if (this.#forgotten) throw new SecretLost();
    return this.#values.get(name);
  }
}

/** Secrets that were handed over, before the commit that gives them to an actor. */
export interface HandedSecrets {
  readonly ticket: number;
  /** The commit was refused: forgets them. Harmless afterwards. */
  forget(): void;
}

export class ErrandSecrets {
  readonly #clock: Clock;
  readonly #boot: string;
  #tickets = 0;
  readonly #handed = new Map<number, { readonly kept: Kept; readonly cancel: Cancel }>();
  /** Tickets by actor, see `errandId`. */
  readonly #given = new Map<string, number>();

  constructor(clock: Clock, boot: string) {
    this.#clock = clock;
    this.#boot = boot;
  }

  /** Takes secrets into memory, for so many milliseconds. Throws if too many are kept. */
  hand(values: SecretValues, milliseconds: number): HandedSecrets {
    if (this.#handed.size >= MOST) throw new Error(`the secrets of ${MOST} errands are kept already`);
    const ticket = ++this.#tickets;
    const cancel = this.#clock.after(milliseconds, () => this.#forget(ticket));
    this.#handed.set(ticket, { kept: new Kept(values), cancel });
    return { ticket, forget: () => this.#forget(ticket) };
  }

  /** Gives secrets to an actor, in the draft of the request, instead of those that it had. */
  give(draft: Draft, kind: string, actorId: number, { ticket }: HandedSecrets): void {
    const id = errandId(kind, actorId);
    const row = draft.find(ErrandRows, id);
    tellDropped(draft, row);
    draft.upsert(ErrandRows, { id, kind, actorId, lines: row?.lines ?? 0, home: this.#boot, ticket });
    draft.publish(SECRETS_GIVEN, { id, ticket });
  }

  /** The actor needs its secrets no more. */
  drop(draft: Draft, kind: string, actorId: number): void {
    dropSecrets(draft, kind, actorId);
  }

  /** The actor's secrets; undefined where this process has none. */
  of(kind: string, actorId: number): SecretsReader | undefined {
    return this.#handed.get(this.#given.get(errandId(kind, actorId)) ?? 0)?.kept;
  }

  /** Takes over what a commit, here or elsewhere, says. */
  committed(facts: Facts): void {
    for (const { id, ticket } of facts.of(SECRETS_GIVEN)) if (this.#handed.has(ticket)) this.#given.set(id, ticket);
    for (const { home, ticket } of facts.of(SECRETS_DROPPED)) if (home === this.#boot) this.#forget(ticket);
  }

  /** The process stops. */
  stop(): void {
    for (const ticket of this.#handed.keys()) this.#forget(ticket);
  }

  #forget(ticket: number): void {
    const held = this.#handed.get(ticket);
    if (!held) return;
    held.cancel();
    held.kept.forget();
    this.#handed.delete(ticket);
    for (const [id, given] of this.#given) if (given === ticket) this.#given.delete(id);
  }
}

/** Has an actor's secrets forgotten, in whichever process they are. */
export function dropSecrets(draft: Draft, kind: string, actorId: number): void {
  const row = draft.find(ErrandRows, errandId(kind, actorId));
  if (!row || row.home === null) return;
  tellDropped(draft, row);
  draft.update(ErrandRows, row.id, { home: null, ticket: null });
}

/** What another process says of it may be late: the ticket tells which ones are meant. */
function tellDropped(draft: Draft, row: Readonly<ErrandRow> | undefined): void {
  if (row && row.home !== null && row.ticket !== null)
    draft.publish(SECRETS_DROPPED, { home: row.home, ticket: row.ticket });
}

/** How a secret may stand in a text, the longest first. */
function formsOf(value: Buffer): string[] {
  const secret = value.toString("utf8");
  const lines = secret.split(/\r?\n/).map((line) => line.trim());
  const encoded = [JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret.toWellFormed())];
  const bytes = [value.toString("base64"), value.toString("hex")];
  const forms = new Set([secret, secret.trim(), ...lines, ...encoded, ...bytes]);
  return [...forms].filter(({ length }) => length >= REDACTED_FROM).toSorted((a, b) => b.length - a.length);
}
