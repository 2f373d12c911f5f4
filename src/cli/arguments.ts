// What commands on records ask for in the same words: a verb with options of its own, and how many rows.
import { parseArgs, type ParseArgsConfig } from "node:util";

type Options = NonNullable<ParseArgsConfig["options"]>;
interface Config<O extends Options> {
  args: string[];
  options: O;
  strict: true;
  allowPositionals: true;
}

/** The values of options, as `parseArgs` gives them. */
export type ValuesOf<O extends Options> = ReturnType<typeof parseArgs<Config<O>>>["values"];

export interface VerbAsked<O extends Options, V extends string> {
  readonly verb: V;
  readonly values: ValuesOf<O>;
  /** What stands behind the verb. */
  readonly rest: readonly string[];
}

/**
 * Reads `VERB …` with its options. `taken`: the verbs, and which options each takes besides `--json`, which all do.
 * Throws a sentence for bad usage.
 */
export function readVerb<const O extends Options, V extends string>(
  argv: readonly string[],
  options: O,
  taken: Readonly<Record<V, readonly (keyof O & string)[]>>,
): VerbAsked<O, V> {
  const { values, positionals } = parseArgs<Config<O>>({
    args: [...argv],
    options,
    strict: true,
    allowPositionals: true,
  });
  const [name = "", ...rest] = positionals;
  if (!isVerb(name, taken)) throw new Error(`a verb is needed: ${Object.keys(taken).join(", ")}`);
  const own: readonly string[] = taken[name];
  const stray = Object.keys(values).find((option) => option !== "json" && !own.includes(option));
  if (stray !== undefined) throw new Error(`${name} takes no --${stray}`);
  return { verb: name, values, rest };
}

function isVerb<V extends string>(name: string, taken: Readonly<Record<V, unknown>>): name is V {
  return Object.hasOwn(taken, name);
}

/** Throws a sentence for what is no number of rows. `option`: as it is written, `--limit`. */
export function refuseLimit(option: string, limit: string): void {
  if (!/^\d{1,4}$/.test(limit) || Number(limit) < 1 || Number(limit) > 1000)
    throw new Error(`${option} must be 1 to 1000`);
}
