// The allow-list of fragments beside the list of every key that an engine reads: which keys it refuses, and which it
// allows that the engine does not know.
import type { KeyList } from "../../scripts/engine-keys/key-list.ts";
import type { Shape } from "../../src/dialect/shape.ts";

export interface Comparison {
  /**
   * `Block.key` and `Block[value]` (what a value such as a type would choose) that the engine reads and the allow-list
   * has not.
   */
  readonly refused: Set<string>;
  /** `Block.key` and `Block[value]` that the allow-list has and the engine does not read. */
  readonly foreign: Set<string>;
  /** `Block.key` that both have. */
  readonly allowed: Set<string>;
}

/** Walks shape and block side by side from `name` down, and adds to `result`. */
export function compareKeys(shape: Shape, name: string, list: KeyList, result: Comparison): void {
  const seen = new Map<Shape, Set<string>>();
  walk(shape, name);

  function walk(wanted: Shape, block: string): void {
    if (wanted.kind === "later") return walk(wanted.shape(), block);
    if (wanted.kind === "list" || wanted.kind === "named") return walk(wanted.of, block);
    if (wanted.kind === "either") return block === "" ? undefined : walk(wanted.object, block);
    if (block === "" || wanted.kind === "value") return;
    const before = seen.get(wanted) ?? new Set();
    if (before.has(block)) return;
    seen.set(wanted, before.add(block));
    if (wanted.kind === "choice") walkChoice(wanted, block);
    else walkBlock(wanted, block, keysOf(block));
  }

  function walkChoice(wanted: Extract<Shape, { kind: "choice" }>, block: string): void {
    const by = list.blocks[block]?.by;
    if (by?.key !== wanted.by) throw new Error(`${block} is not chosen by ${wanted.by}`);
    for (const [value, variant] of Object.entries(by.of)) {
      const inner = wanted.of[value];
      if (!inner) result.refused.add(`${block}[${value}]`);
      else if (inner.kind === "block") walkBlock(inner, variant, new Map([...keysOf(variant), ...ownKeys(block)]));
    }
    for (const value of Object.keys(wanted.of)) if (!(value in by.of)) result.foreign.add(`${block}[${value}]`);
  }

  function walkBlock(wanted: Extract<Shape, { kind: "block" }>, block: string, keys: ReadonlyMap<string, Key>): void {
    for (const [key, { owner, under }] of keys) {
      const own = wanted.keys[key];
      if (!own) result.refused.add(`${owner}.${key}`);
      else {
        result.allowed.add(`${owner}.${key}`);
        walk(own, under);
      }
    }
    for (const key of Object.keys(wanted.keys)) if (!keys.has(key)) result.foreign.add(`${block}.${key}`);
  }

  /** All keys that may stand in a block, whatever it chooses by one of them. */
  function keysOf(block: string): Map<string, Key> {
    const variants = Object.values(list.blocks[block]?.by?.of ?? {}).flatMap((variant) =>
      variant === "" ? [] : [...keysOf(variant)],
    );
    return new Map([
      ...variants,
      ...(list.blocks[block]?.embeds ?? []).flatMap((inner) => [...keysOf(inner)]),
      ...ownKeys(block),
    ]);
  }

  function ownKeys(block: string): Map<string, Key> {
    return new Map(
      Object.entries(list.blocks[block]?.keys ?? {}).map(([key, under]) => [key, { owner: block, under }]),
    );
  }
}

/** Where a key is written down in the engine, and the block under it. */
interface Key {
  readonly owner: string;
  readonly under: string;
}

export function nothingCompared(): Comparison {
  return { refused: new Set(), foreign: new Set(), allowed: new Set() };
}
