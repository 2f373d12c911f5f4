// Facts: what a commit tells its listeners in addition to rows. Each is defined once; who publishes it and who listens
// to it name the definition, so that a wrong name or value does not compile.
import type { z } from "zod";

/** `V`: what is said with it. */
export interface Fact<out V> {
  readonly name: string;
  readonly schema: z.ZodType<V> | undefined;
}

/** A fact that other processes on the database may hear too: its values can be checked. */
export interface SharedFact<out V> extends Fact<V> {
  readonly schema: z.ZodType<V>;
}

/** With a schema the fact may go to other processes (`Echo`); without one it stays in the process that committed. */
export function defineFact<V>(name: string): Fact<V>;
export function defineFact<V>(name: string, schema: z.ZodType<V>): SharedFact<V>;
export function defineFact<V>(name: string, schema?: z.ZodType<V>): Fact<V> {
  return { name, schema };
}

/** The facts of one change or commit. */
export class Facts {
  #values: Map<string, unknown[]> | undefined;
  /** Names of facts that another process wrote and that nobody asked for yet. */
  #unchecked: Set<string> | undefined;

  /** Facts as another process wrote them. They are checked when somebody asks for them. */
  static written(values: Readonly<Record<string, readonly unknown[]>>): Facts {
    const facts = new Facts();
    const entries = Object.entries(values);
    facts.#values = new Map(entries.map(([name, each]) => [name, [...each]]));
    facts.#unchecked = new Set(facts.#values.keys());
    return facts;
  }

  add<V>(fact: Fact<V>, ...values: readonly NoInfer<V>[]): this {
    this.#append(fact.name, values);
    return this;
  }

  addAll(others: Facts): void {
    if (others.#values) for (const [name, values] of others.#values) this.#append(name, values);
  }

  /** Throws `ZodError` where another process wrote what is no value of the fact. */
  of<V>(fact: Fact<V>): readonly V[] {
    const { name, schema } = fact;
    const values = this.#values?.get(name) ?? [];
    if (!this.#unchecked?.has(name)) return values as V[];
    if (!schema) throw new Error(`the fact ${name} belongs to one process`);
    const checked = values.map((value) => schema.parse(value));
    this.#values?.set(name, checked);
    this.#unchecked.delete(name);
    return checked;
  }

  has(fact: Fact<unknown>): boolean {
    return this.#values?.has(fact.name) ?? false;
  }

  get isEmpty(): boolean {
    return this.#values === undefined || this.#values.size === 0;
  }

  /** The facts in `names`, as they are written for other processes; undefined: none. */
  among(names: ReadonlySet<string>): Record<string, readonly unknown[]> | undefined {
    if (!this.#values) return undefined;
    const found = [...this.#values].filter(([name]) => names.has(name));
    return found.length === 0 ? undefined : Object.fromEntries(found);
  }

  #append(name: string, values: readonly unknown[]): void {
    this.#values ??= new Map();
    const known = this.#values.get(name);
    if (known) known.push(...values);
    else this.#values.set(name, [...values]);
  }
}
